import Apus
import Foundation
import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// The two forms of vectors in an index: float32, and the float16 of an index that an earlier Apus made.
@Suite struct StoredVectorTests {
  @Test func bytesTellTheForm() throws {
    var random = SeededRandom()
    for width in [1, 7, 512] {
      let vector = StoredVector(random.floats(width))
      #expect(vector.data.count == 4 * width)
      #expect(StoredVector(vector.data, width: width) == vector)
      let halves = vector.values.map { Float16($0) }
      let data = halves.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
      #expect(StoredVector(data, width: width)?.values == halves.map(Float.init))
      #expect(StoredVector(Data(repeating: 0, count: 3 * width), width: width) == nil)
      #expect(StoredVector(Data(), width: width) == nil)
    }
  }

  @Test func vectorsAreOfUnitLength() {
    var random = SeededRandom()
    let vector = random.floats(300).map { 100 * $0 }
    let length = StoredVector(vector).values.reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(abs(length - 1) < 1e-6)
    #expect(StoredVector([0, 0]).values == [0, 0])
  }

  /// What a search finds, in what order and with what scores, is what all stored vectors say.
  @Test(arguments: [false, true])
  func aSearchIsTheExactOne(_ isOfAnEarlierApus: Bool) async throws {
    let library = try Library()
    try await library.update()
    if isOfAnEarlierApus { try library.becomeThatOfAnEarlierApus() }
    let rows = try library.database().read { try Row.fetchAll($0, sql: "SELECT content_id, v FROM vector") }
    let width = try library.index.models()[0].width
    let stored = try rows.map {
      (id: $0[0] as Int64, vector: try #require(StoredVector($0[1], width: width)))
    }
    let texts = try TextEmbedder(Checkout.file("Weights/scenes").path, options: .init(length: .unit))
    for sentence in ["three red circles", "a spotted green square", "nothing"] {
      let query = try texts.blocking.embed(sentence).values
      let exact = stored.map { (id: $0.id, score: VectorRanking.cosine(query, $0.vector.values)) }
        .sorted { $0.score > $1.score }
      let found = try await PhotoSearcher(library.index).search(PhotoQuery([sentence]), count: 1000)
      #expect(found.map(\.photo.id) == exact.map(\.id))
      #expect(zip(found, exact).allSatisfy { abs($0.score - $1.score) < 1e-6 })
    }
  }

  /// It is searched as it is, grows with vectors of both forms, and is no index for an earlier Apus from then on.
  @Test func anEarlierIndexGoesOn() async throws {
    let circles = "three-red-circles.png"
    let library = try Library([circles: circles])
    try await library.update()
    try library.becomeThatOfAnEarlierApus()
    #expect(try await library.names("three red circles") == [circles])
    #expect(try library.versions().count == 1)
    try library.add("a-spotted-green-square.png", as: "b.png")
    #expect(try await library.update().embedded == 1)
    #expect(try library.versions().count == 4)
    #expect(try library.vectorByteCounts() == [2, 4])
    #expect(try library.index.check() == [])
    #expect(try library.index.export(to: "\(library.index.folder)/x.npy", as: .npy).count == 2)
    #expect(try await library.names("three red circles") == [circles, "b.png"])
  }

  /// A vector keeps its form, and the index that takes it in is one of this version.
  @Test func mergedVectorsKeepTheirForm() async throws {
    let (old, new) = (try Library(), try Library(["three-red-circles.png": "a.png"]))
    try await old.update()
    try old.becomeThatOfAnEarlierApus()
    try await new.update()
    try new.index.merge(old.index.folder)
    #expect(try old.versions().count == 1)
    #expect(try new.vectorByteCounts() == [2, 4])
    #expect(try new.index.check() == [])
    try old.index.merge(new.index.folder)
    #expect(try old.versions().count == 4)
    #expect(try old.vectorByteCounts() == [2])
  }
}

extension Library {
  fileprivate func database() throws -> DatabaseQueue {
    try DatabaseQueue(path: "\(index.folder)/index.sqlite")
  }

  /// Vectors of two bytes a number, and no word of those of four, nor of volumes.
  fileprivate func becomeThatOfAnEarlierApus() throws {
    try database().write { database in
      for row in try Row.fetchAll(database, sql: "SELECT id, v FROM vector") {
        let data: Data = row[1]
        let vector = try #require(StoredVector(data, width: data.count / 4)).values
        let halves = vector.map { Float16($0).bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
        try database.execute(
          sql: "UPDATE vector SET v = ? WHERE id = ?", arguments: [halves, row[0] as Int64])
      }
      try database.execute(
        sql: """
          DROP TABLE part; DROP INDEX file_number; ALTER TABLE root DROP COLUMN volume;
          DROP TABLE reading; DROP INDEX file_failed
          """)
      try database.execute(
        sql: "DELETE FROM grdb_migrations WHERE identifier <> ?", arguments: [StoreSchema.firstVersion])
    }
  }

  fileprivate func versions() throws -> [String] {
    try database().read {
      try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }
  }

  /// The bytes of a number, of each form that there is.
  fileprivate func vectorByteCounts() throws -> [Int] {
    let width = try index.models()[0].width
    return try database().read {
      try Int.fetchAll(
        $0, sql: "SELECT DISTINCT length(v) / ? AS size FROM vector ORDER BY size", arguments: [width])
    }
  }
}
