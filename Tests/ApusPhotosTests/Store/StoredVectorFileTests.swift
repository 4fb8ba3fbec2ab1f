import Foundation
import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// When the file of vectors is made anew, and what becomes of searches meanwhile.
@Suite struct StoredVectorFileTests {
  private let library: Library
  private let model: StoredModel
  private let vectors: StoredVectors
  private var store: PhotoStore { library.index.store }

  init() async throws {
    library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    model = try StoredModel.named(nil, in: library.index.store)
    vectors = StoredVectors(library.index.store, model)
  }

  /// Contents of no file, and their vectors.
  private func addContents(_ count: Int) throws -> Set<Int64> {
    var random = SeededRandom()
    let vector = StoredVector(random.floats(model.width))
    return try store.write { database in
      var contents: Set<Int64> = []
      for number in 0..<count {
        try database.execute(
          sql: "INSERT INTO content (digest, bytes) VALUES (?, ?)",
          arguments: [Data(repeating: 0, count: 16), number])
        let id = database.lastInsertedRowID
        _ = try vector.store(of: id, by: model.id, in: database)
        contents.insert(id)
      }
      try StoredModel.advance([model.id], in: database)
      return contents
    }
  }

  /// Adds contents to the file, and removes them from it again.
  /// - Returns: the file with them.
  private func addAndRemoveContents(_ count: Int) throws -> VectorFile {
    let contents = try addContents(count)
    try vectors.bringUp()
    let mapped = try vectors.open()
    try store.write { database in
      try database.execute(
        sql: "DELETE FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE content_id = content.id)")
      try StoredModel.advance([model.id], in: database)
    }
    try vectors.remove(contents)
    return mapped
  }

  @Test func oneOfMostlyRemovedRowsIsMadeAnew() async throws {
    let mapped = try addAndRemoveContents(1100)
    #expect(mapped.rowCount == 1101)
    #expect(try vectors.open().rowCount == 1101)
    try vectors.bringUp()
    #expect(try vectors.open().rowCount == 1)
    // Who has it open sees what there was, without what was removed.
    #expect(mapped.contentIDs.count == 1 && mapped.firstFault() == nil)
    #expect(try await library.names("three red circles") == ["a.png"])
    #expect(try library.index.check() == [])
  }

  /// As where a disk is full.
  @Test func whereItCannotBeMadeAnewTheOneThatIsThereServes() throws {
    let index = library.index.folder
    let old = try vectors.open()
    try store.write { try StoredModel.advance([model.id], in: $0) }
    #expect(chmod(FileName.folder(of: index), 0o755) == 0 && chmod("\(index)/lock", 0o666) == 0)
    #expect(chmod(vectors.path, 0o644) == 0 && chmod(index, 0o555) == 0)
    defer { _ = chmod(index, 0o755) }
    let behind = try AnotherUser.run { try vectors.open() }
    #expect(behind.revision == old.revision && behind.count == 1)
    #expect(chmod(index, 0o755) == 0)
    #expect(try vectors.open().revision == old.revision + 1)
  }

  /// Making it smaller is not worth an error.
  @Test func oneOfMostlyRemovedRowsServesWhereThereIsNoPlace() throws {
    _ = try addAndRemoveContents(1100)
    let index = library.index.folder
    #expect(chmod(FileName.folder(of: index), 0o755) == 0 && chmod(vectors.path, 0o644) == 0)
    #expect(chmod(index, 0o555) == 0)
    defer { _ = chmod(index, 0o755) }
    try AnotherUser.run { try vectors.bringUp() }
    #expect(try vectors.open().rowCount == 1101)
    #expect(chmod(index, 0o755) == 0)
    // Nor is it worth to be begun where the disk is full.
    try StoredVectors(store, model, freeBytes: { _ in 0 }).bringUp()
    #expect(try vectors.open().rowCount == 1101)
    try vectors.bringUp()
    #expect(try vectors.open().rowCount == 1)
  }

  /// What would be written by every search, to no end, until the disk is full.
  @Test func withoutRoomItIsNotBegun() throws {
    let old = try vectors.open()
    try store.write { try StoredModel.advance([model.id], in: $0) }
    let size = try #require(FileSystem.version(of: vectors.path)).byteCount
    for room in [0, size - 1] {
      let behind = try StoredVectors(store, model, freeBytes: { _ in room }).open()
      #expect(behind.revision == old.revision && behind.count == 1)
    }
    // Without one that serves it is tried.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: vectors.path))
    try FileManager.default.removeItem(atPath: vectors.path)
    #expect(try StoredVectors(store, model, freeBytes: { _ in 0 }).open().revision == old.revision + 1)
    for room in [size, nil] as [Int?] {
      try bytes.write(to: URL(fileURLWithPath: vectors.path))
      let made = try StoredVectors(store, model, freeBytes: { _ in room }).open()
      #expect(made.revision == old.revision + 1)
    }
    #expect((FreeSpace.bytes(in: library.index.folder) ?? 0) > 0)
    #expect(FreeSpace.bytes(in: "/nowhere") == nil)
  }

  /// The folder may be that into which a browser loads.
  @Test func whatAnEndedProcessLeftIsRemovedAndNothingElse() throws {
    let left = "\(vectors.path).0123.part"
    let others = ["film.mkv.part", "vectors-of-pictures.svg.part"].map { "\(library.index.folder)/\($0)" }
    for path in [left] + others { try Data([1]).write(to: URL(fileURLWithPath: path)) }
    try vectors.rebuild()
    #expect(!FileSystem.exists(left) && FileSystem.exists(vectors.path))
    #expect(others.allSatisfy { FileSystem.exists($0) })
  }
}
