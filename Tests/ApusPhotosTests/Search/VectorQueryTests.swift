import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// Searches by a vector that the program has.
@Suite struct VectorQueryTests {
  private static func embedding(_ sentence: String, times factor: Float) throws -> Embedding {
    let texts = try TextEmbedder(Checkout.file("Weights/scenes").path, options: .init(length: .unit))
    return Embedding(try texts.blocking.embed(sentence).values.map { factor * $0 })
  }

  private func expectSame(_ found: [PhotoMatch], _ expected: [PhotoMatch]) {
    #expect(found.map(\.paths) == expected.map(\.paths))
    for (one, other) in zip(found, expected) {
      let distance = abs(one.score - other.score)
      #expect(distance < 1e-5, "\(one.paths)")
    }
  }

  /// Of whatever length.
  @Test(arguments: [1, 1000, 1e-20] as [Float])
  func aVectorFindsWhatItsSentenceFinds(_ factor: Float) async throws {
    let library = try Library()
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    let embedding = try Self.embedding("three red circles", times: factor)
    let found = try await searcher.search(PhotoQuery([PhotoQuery.Term(.vector(embedding))]), count: 3)
    let expected = try await searcher.search("three red circles", count: 3)
    #expect(found.count == 3)
    expectSame(found, expected)
  }

  @Test func sumsWithSentences() async throws {
    let library = try Library()
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    let embedding = try Self.embedding("a circle", times: 7)
    let sum = PhotoQuery([
      PhotoQuery.Term(.vector(embedding), weight: 2), PhotoQuery.Term(.sentence("red"), weight: -0.5),
    ])
    let found = try await searcher.search(sum, count: 3)
    let expected = try await searcher.search(PhotoQuery(["2:a circle", "-0.5:red"]), count: 3)
    expectSame(found, expected)
  }

  /// No sentence tells what is enough.
  @Test func aVectorAloneHasNoAutomaticMinimum() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    let query = PhotoQuery([PhotoQuery.Term(.vector(try Self.embedding("a circle", times: 1)))])
    let error = await #expect(throws: ApusError.self) {
      try await searcher.search(query, minimum: .automatic)
    }
    #expect(error?.kind == .argument)
  }

  /// It needs no tower, neither one that a model has not nor one whose files are gone.
  @Test func noModelIsOpened() async throws {
    let (library, folder) = (try Library(["three-red-circles.png": "a.png"]), try TemporaryFolder())
    let place = "\(folder.path)/tower"
    try FileManager.default.copyItem(
      atPath: Checkout.modelFolder("clip-vision-projection"), toPath: place)
    let model = try PhotoModel(place, options: .init(precision: .float32))
    try await library.index.update([library.path], with: model)
    let embedding = try model.pictures.blocking.embed(Picture("\(library.path)/a.png"))
    try FileManager.default.removeItem(atPath: place)
    let searcher = try PhotoSearcher(library.index)
    let matches = try await searcher.search(PhotoQuery([PhotoQuery.Term(.vector(embedding))]))
    let score = try #require(matches.first).score
    #expect(score > 0.9999)
  }

  @Test func whatHasNoDirectionIsRefused() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    let width = try #require(try library.index.models().last).width
    func refusal(of values: [Float]) async -> ApusError? {
      let query = PhotoQuery([PhotoQuery.Term(.vector(Embedding(values)))])
      let error = await #expect(throws: ApusError.self) { try await searcher.search(query) }
      #expect(error?.kind == .argument)
      return error
    }
    var values = [Float](repeating: 1, count: width)
    let short = await refusal(of: Array(values.dropLast()))
    #expect(short?.problem.contains("\(width - 1) numbers") == true)
    #expect(short?.expected?.hasPrefix("\(width),") == true)
    let empty = await refusal(of: [])
    #expect(empty?.problem.contains("0 numbers") == true)
    for bad in [Float.nan, .infinity] {
      values[2] = bad
      let found = await refusal(of: values)
      #expect(found?.problem.contains("element 2 of the embedding") == true)
    }
    let zeros = await refusal(of: [Float](repeating: 0, count: width))
    #expect(zeros?.problem.contains("vector of zeros") == true)
  }
}
