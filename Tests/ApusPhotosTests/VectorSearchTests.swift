import Glibc
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// The scan against a plain computation over the same vectors.
@Suite struct VectorSearchTests {
  private let folder: TemporaryFolder
  private let file: VectorFile
  private let vectors: [[Float]]
  private static let width = 100

  /// 5000 vectors, some of them the same, contents numbered backwards in pairs.
  init() throws {
    folder = try TemporaryFolder()
    var random = SeededRandom()
    var vectors = (0..<5000).map { _ in
      random.floats(Self.width).map { Float(Float16($0)) }
    }
    for index in stride(from: 0, to: 5000, by: 10) { vectors[index + 1] = vectors[index] }
    self.vectors = vectors
    let path = folder.path + "/vectors.i8"
    try VectorFile.rebuild(
      path, width: Self.width, model: [1], revision: 1,
      rows: vectors.enumerated().map { VectorRow(contentID: Self.id($0), numbers: $1.map { Float16($0) }) })
    file = try VectorFile.open(path, width: Self.width, model: [1])
  }

  private static func id(_ row: Int) -> Int64 { Int64(10 * (row / 10) + 9 - row % 10) }

  private static func cosine(_ a: [Float], _ b: [Float]) -> Double {
    func dot(_ a: [Float], _ b: [Float]) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
  }

  /// The nearest by exact cosines; of equal ones those of the lower number.
  private func exact(_ query: [Float], count: Int, among rows: some Sequence<Int>) -> [Int64] {
    let all = rows.map { (id: Self.id($0), cosine: Float(Self.cosine(query, vectors[$0]))) }
    return all.sorted { $0.cosine != $1.cosine ? $0.cosine > $1.cosine : $0.id < $1.id }.prefix(count).map(
      \.id)
  }

  private func matches(
    _ query: [Float], count: Int, among rows: VectorFile.Rows = .all, threads: Int = 1
  ) throws -> [Int64] {
    let candidates = try file.nearest(to: query, among: rows, count: count, threads: threads)
    let found = try VectorRanking.matches(candidates, to: query, count: count) { id in
      let row = Int(id) / 10 * 10 + 9 - Int(id) % 10
      return vectors[row].map { Float16($0) }
    }
    return found.map(\.contentID)
  }

  @Test func resultsAreTheExactOnes() throws {
    var random = SeededRandom(seed: 5)
    for count in [1, 10, 25] {
      let query = random.floats(Self.width)
      #expect(try matches(query, count: count) == exact(query, count: count, among: 0..<5000))
    }
    // A vector that is there twice: the lower number first.
    let twins = try matches(vectors[250], count: 2)
    #expect(twins == [Self.id(251), Self.id(250)])
  }

  @Test func someRows() throws {
    var random = SeededRandom(seed: 6)
    let query = random.floats(Self.width)
    for share in [1, 2, 7, 100, 3000] {
      let some = (0..<5000).filter { $0 % share == 0 }
      let rows = VectorFile.Rows.some(file.rows(of: some.map(Self.id)))
      #expect(try matches(query, count: 10, among: rows) == exact(query, count: 10, among: some))
    }
    #expect(try matches(query, count: 10, among: .some([])) == [])
    #expect(throws: ApusError.self) { try matches(query, count: 1, among: .some([5000])) }
    #expect(throws: ApusError.self) { try matches(query, count: 1, among: .some([-1])) }
  }

  /// Scores too, for any number of threads.
  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom(seed: 7)
    let queries = (0..<3).map { _ in random.floats(Self.width) }
    let one = try file.nearest(to: queries, count: 20)
    for threads in 2...4 { #expect(try file.nearest(to: queries, count: 20, threads: threads) == one) }
    for (query, candidates) in zip(queries, one) {
      #expect(candidates.count == 80)
      #expect(try file.nearest(to: query, count: 20) == candidates)
    }
  }

  @Test func scoresAreNearlyCosines() throws {
    let query = vectors[777].map { $0 / 10 }
    let length = Float(query.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot())
    let unit = query.map { $0 / length }
    for candidate in try file.nearest(to: unit, count: 10) {
      // Rows are not of unit length here: their scores are products.
      let product = zip(unit, vectors[Int(candidate.row)]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(Double(candidate.score) - product) < 0.03)
      #expect(candidate.contentID == Self.id(Int(candidate.row)))
    }
  }

  @Test func removedRowsAreNotFound() throws {
    let gone = Self.id(250)
    _ = try VectorFile.remove([gone], from: file.path, width: Self.width, model: [1], from: 1, to: 2)
    let found = try file.nearest(to: vectors[250], count: 10).map(\.contentID)
    #expect(found.first == Self.id(251))
    #expect(!found.contains(gone))
  }

  @Test(arguments: [[], [Float](repeating: 0, count: 100), [Float](repeating: .nan, count: 100), [1, 2]])
  func queriesThatAreNone(_ query: [Float]) {
    #expect(throws: ApusError.self) { try file.nearest(to: query, count: 1) }
  }

  @Test func manyMoreThanThereAre() throws {
    #expect(try file.nearest(to: vectors[0], count: .max).count == 5000)
    #expect(try file.nearest(to: vectors[0], count: 0).count == 40)
    #expect(try file.nearest(to: [] as [[Float]], count: 1).isEmpty)
  }

  /// A file that is cut off while it is mapped, or whose rows change, is an error that names it.
  @Test func damageInUse() {
    let query = vectors[0]
    #expect(truncate(file.path, 100_000) == 0)
    #expect { try file.nearest(to: query, count: 10) } throws: { ($0 as? ApusError)?.file == file.path }
    #expect(throws: VectorFileFault.self) {
      try VectorFile.open(file.path, width: Self.width, model: [1])
    }
  }

  @Test func cosines() {
    #expect(VectorRanking.cosine([1, 0], [2, 0]) == 1)
    #expect(VectorRanking.cosine([1, 1], [1, 0]) == Float(0.5.squareRoot()))
    #expect(VectorRanking.cosine([0, 0], [1, 0]) == 0)
    #expect(VectorRanking.cosine([.infinity, 0], [1, 0]) == 0)
  }
}
