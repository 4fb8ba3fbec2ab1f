import CLibrary
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// The search against a plain computation over the same vectors.
@Suite struct VectorSearchTests {
  private let folder: TemporaryFolder
  private let file: VectorFile
  private let vectors: [[Float]]
  private static let width = 100
  private static let count = 5000

  /// 5000 vectors of unit length, some of them the same, contents numbered backwards in pairs. The last thousand are near
  /// one another: bytes do not tell which is nearer.
  init() throws {
    folder = try TemporaryFolder()
    var random = SeededRandom()
    var vectors = (0..<Self.count).map { _ in Self.unit(random.floats(Self.width)) }
    for index in stride(from: 0, to: Self.count, by: 10) { vectors[index + 1] = vectors[index] }
    let middle = vectors[4000]
    for index in 4000..<Self.count {
      vectors[index] = Self.unit(zip(middle, random.floats(Self.width)).map { $0 + 1e-4 * $1 })
    }
    self.vectors = vectors
    let path = folder.path + "/vectors.i8"
    try VectorFile.rebuild(
      path, width: Self.width, model: [1], revision: 1,
      rows: vectors.enumerated().map { VectorRow(contentID: Self.id($0), numbers: $1) })
    file = try VectorFile.open(path, width: Self.width, model: [1])
  }

  private static func unit(_ vector: [Float]) -> [Float] { StoredVector(vector).values }

  private static func id(_ row: Int) -> Int64 { Int64(10 * (row / 10) + 9 - row % 10) }
  private static func row(_ id: Int64) -> Int { Int(id) / 10 * 10 + 9 - Int(id) % 10 }

  private static func cosine(_ a: [Float], _ b: [Float]) -> Double {
    func dot(_ a: [Float], _ b: [Float]) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
  }

  /// The nearest by exact cosines; of equal ones those of the lower number.
  private func exact(_ query: [Float], count: Int, among rows: some Sequence<Int>) -> [Int64] {
    let all = rows.map { (id: Self.id($0), cosine: Self.cosine(query, vectors[$0])) }
    return all.sorted { $0.cosine != $1.cosine ? $0.cosine > $1.cosine : $0.id < $1.id }.prefix(count).map(
      \.id)
  }

  private func matches(
    _ query: [Float], count: Int, among rows: VectorFile.Rows = .all, threads: Int = 1
  ) throws -> [Int64] {
    var search = try ExactSearch(file, to: query, among: rows, results: count, threads: threads)
    var found: [Int64] = []
    while found.count < count, let match = try search.next(vector: { vectors[Self.row($0)] }) {
      found.append(match.contentID)
    }
    return found
  }

  @Test func resultsAreTheExactOnes() throws {
    var random = SeededRandom(seed: 5)
    for count in [1, 10, 25] {
      let query = random.floats(Self.width)
      #expect(try matches(query, count: count) == exact(query, count: count, among: 0..<Self.count))
    }
    // A vector that is there twice: the lower number first.
    let twins = try matches(vectors[250], count: 2)
    #expect(twins == [Self.id(251), Self.id(250)])
  }

  /// A thousand vectors whose scores by bytes say nothing of their order.
  @Test func resultsAreExactWhereBytesDoNotTell() throws {
    var random = SeededRandom(seed: 8)
    let query = zip(vectors[4500], random.floats(Self.width)).map { $0 + 0.3 * $1 }
    #expect(try matches(query, count: 10) == exact(query, count: 10, among: 0..<Self.count))
    let candidates = try file.nearest(to: query, count: 10).elements.map(\.contentID)
    #expect(Set(candidates) != Set(exact(query, count: 10, among: 0..<Self.count)))
  }

  @Test func allOfThemInOrder() throws {
    var random = SeededRandom(seed: 9)
    let query = random.floats(Self.width)
    let all = try matches(query, count: .max)
    #expect(all == exact(query, count: Self.count, among: 0..<Self.count))
  }

  /// No more of the stored vectors are read than nearly those that are found.
  @Test func fewVectorsAreRead() throws {
    var random = SeededRandom(seed: 10)
    let query = random.floats(Self.width)
    var search = try ExactSearch(file, to: query, results: 10)
    var reads = 0
    for _ in 0..<10 {
      _ = try search.next { id in
        reads += 1
        return vectors[Self.row(id)]
      }
    }
    #expect(reads < 128)
  }

  @Test func whatIsGoneIsPassedOver() throws {
    var random = SeededRandom(seed: 11)
    let query = random.floats(Self.width)
    let expected = exact(query, count: 11, among: 0..<Self.count)
    var search = try ExactSearch(file, to: query, results: 10)
    let found = try (0..<10).compactMap { _ in
      try search.next { $0 == expected[3] ? nil : vectors[Self.row($0)] }?.contentID
    }
    #expect(found == expected.filter { $0 != expected[3] })
    var other = try ExactSearch(file, to: query, results: 10)
    #expect(throws: ApusError.self) { try other.next { _ in [1, 2] } }
  }

  @Test func someRows() throws {
    var random = SeededRandom(seed: 6)
    let query = random.floats(Self.width)
    for share in [1, 2, 7, 100, 3000] {
      let some = (0..<Self.count).filter { $0 % share == 0 }
      let rows = VectorFile.Rows.some(file.rows(of: some.map(Self.id)))
      #expect(try matches(query, count: 10, among: rows) == exact(query, count: 10, among: some))
      #expect(try matches(query, count: .max, among: rows).count == some.count)
    }
    #expect(try matches(query, count: 10, among: .some([])) == [])
    #expect(throws: ApusError.self) { try matches(query, count: 1, among: .some([5000])) }
    #expect(throws: ApusError.self) { try matches(query, count: 1, among: .some([-1])) }
  }

  /// Scores too, for any number of threads.
  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom(seed: 7)
    let queries = (0..<3).map { _ in random.floats(Self.width) }
    let one = try file.nearest(to: queries, count: 80)
    for threads in 2...4 { #expect(try file.nearest(to: queries, count: 80, threads: threads) == one) }
    for (query, candidates) in zip(queries, one) {
      #expect(candidates.elements.count == 80 && !candidates.areAll)
      #expect(try file.nearest(to: query, count: 80) == candidates)
    }
  }

  /// Whatever the length of the query is; and the cosine of no row is above its score by more than is said.
  @Test func scoresAreNearlyCosines() throws {
    var random = SeededRandom(seed: 12)
    let query = random.floats(Self.width)
    let candidates = try file.nearest(to: query, count: .max)
    #expect(candidates.areAll && candidates.elements.count == Self.count)
    #expect(candidates.uncertainty < 0.02)
    for candidate in candidates.elements {
      #expect(candidate.contentID == Self.id(Int(candidate.row)))
      let difference = Self.cosine(query, vectors[Int(candidate.row)]) - Double(candidate.score)
      #expect(abs(difference) <= Double(candidates.uncertainty))
    }
    let longer = try file.nearest(to: query.map { 1000 * $0 }, count: 10)
    for (one, other) in zip(candidates.elements, longer.elements) {
      #expect(one.contentID == other.contentID && abs(one.score - other.score) < 1e-6)
    }
  }

  @Test func removedRowsAreNotFound() throws {
    let gone = Self.id(250)
    _ = try VectorFile.remove([gone], from: file.path, width: Self.width, model: [1], from: 1, to: 2)
    let found = try file.nearest(to: vectors[250], count: 40).elements.map(\.contentID)
    #expect(found.first == Self.id(251))
    #expect(!found.contains(gone))
    #expect(try matches(vectors[250], count: .max).count == Self.count - 1)
  }

  @Test(arguments: [[], [Float](repeating: 0, count: 100), [Float](repeating: .nan, count: 100), [1, 2]])
  func queriesThatAreNone(_ query: [Float]) {
    #expect(throws: ApusError.self) { try file.nearest(to: query, count: 1) }
  }

  @Test func manyMoreThanThereAre() throws {
    #expect(try file.nearest(to: vectors[0], count: .max).elements.count == Self.count)
    #expect(try file.nearest(to: vectors[0], count: 0).elements.count == 1)
    #expect(try file.nearest(to: [] as [[Float]], count: 1).isEmpty)
  }

  /// A file that is cut off while it is mapped, or whose rows change, is an error that names it.
  @Test func damageInUse() {
    let query = vectors[0]
    #expect(truncate(file.path, 100_000) == 0)
    #expect { try file.nearest(to: query, count: 40) } throws: { ($0 as? ApusError)?.file == file.path }
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
