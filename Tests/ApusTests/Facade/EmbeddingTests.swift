import Apus
import TestSupport
import Testing

/// Embeddings are compared, searched, and scored against labels without the picture that they are of.
@Suite struct EmbeddingTests {
  private func vectors(_ count: Int, width: Int) -> [Embedding] {
    var random = SeededRandom(seed: 7)
    return (0..<count).map { _ in Embedding(random.floats(width)) }
  }

  /// Widths around the eight lanes in which sums are made.
  @Test(arguments: [1, 3, 7, 8, 9, 15, 16, 17, 64, 333])
  func cosinesAreThoseOfTheFormula(width: Int) {
    let pair = vectors(2, width: width).map { $0.values.map(Double.init) }
    let product = zip(pair[0], pair[1]).reduce(0) { $0 + $1.0 * $1.1 }
    let lengths = pair.map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let expected = Float(product / (lengths[0] * lengths[1]))
    let found = Embedding(pair[0].map(Float.init)).cosine(Embedding(pair[1].map(Float.init)))
    #expect(abs(found - expected) <= expected.ulp * 2)
  }

  @Test func whatHasNothingInCommonIsZero() {
    #expect(Embedding([1, 0]).cosine(Embedding([0, 1])) == 0)
    #expect(Embedding([0, 0]).cosine(Embedding([0, 1])) == 0)
    #expect(Embedding([1]).cosine(Embedding([1, 0])) == 0)
  }

  @Test func theFirstNumbersHaveTheirOwnLength() {
    let whole = Embedding([3, 4, 12], wasTruncated: true)
    #expect(whole.prefix(2) == Embedding([3, 4], wasTruncated: true))
    #expect(whole.prefix(2).unit.values == [0.6, 0.8])
    #expect(whole.prefix(9) == whole && whole.prefix(-1).values.isEmpty)
  }

  @Test func theNearestAreThoseOfTheGreatestCosine() {
    let many = vectors(200, width: 24)
    let query = vectors(201, width: 24)[200]
    let found = Embedding.nearest(to: query, in: many, count: 5)
    let cosines = many.map(query.cosine)
    #expect(found.map(\.cosine) == cosines.sorted(by: >).prefix(5).map { $0 })
    for neighbour in found { #expect(neighbour.cosine == cosines[neighbour.index]) }
    #expect(Embedding.nearest(to: query, in: many, count: 1000).count == 200)
    #expect(Embedding.nearest(to: query, in: []).isEmpty)
    let rows = Embedding.cosines([query, many[3]], many)
    #expect(rows[0] == cosines && rows[1][3] > 0.999999)
  }

  @Test(arguments: ["clip", "siglip"])
  func anEmbeddingIsScoredAsItsPicture(name: String) async throws {
    let path = Checkout.modelFolder(name)
    let labels = ["a cat", "a dog", "the film was dull"]
    let classifier = try await ZeroShotClassifier.load(path)
    let seen = try await classifier.classify(FolderFixture.picture, labels: labels)
    let embedding = try await ImageEmbedder.load(path, options: .init(length: .raw)).embed(
      FolderFixture.picture)
    let scored = try await classifier.classify(embedding: embedding, labels: labels)
    #expect(scored.predictions == seen.predictions)
    let known = try await classifier.embed(labels: labels)
    #expect(try await classifier.classify(embedding: embedding, among: known).predictions == seen.predictions)
    #expect(
      try await classifier.classify(FolderFixture.picture, among: known).predictions == seen.predictions)
    let best = try classifier.blocking.classify(embedding: embedding, among: known, topK: 1)
    #expect(best.predictions == Array(seen.predictions.prefix(1)))
    let narrow = Embedding([1, 2, 3])
    await #expect(throws: ApusError.self) { try await classifier.classify(embedding: narrow, labels: labels) }
    let bad = Embedding(embedding.values.map { _ in .nan })
    await #expect(throws: ApusError.self) { try await classifier.classify(embedding: bad, labels: labels) }
  }

  /// As a classifier with both towers does, by the scale that the caller says.
  @Test func aTowerForTextsScoresEmbeddings() async throws {
    let path = Checkout.modelFolder("clip")
    let labels = ["a cat", "a dog", "the film was dull"]
    let templates = ["{}", "a photo of {}"]
    let embedding = try await ImageEmbedder.load(path, options: .init(length: .raw)).embed(
      FolderFixture.picture)
    let options = ZeroShotClassifier.Options(templates: templates, scoring: .sigmoid, logitScale: 10)
    let expected = try ZeroShotClassifier(path, options: options).blocking.classify(
      embedding: embedding, labels: labels)
    let texts = try await TextEmbedder.load(path, options: .init(length: .raw))
    let known = try await texts.embed(labels: labels, templates: templates)
    #expect(try texts.blocking.embed(labels: labels, templates: templates) == known)
    let found = try known.classify(embedding: embedding, scoring: .sigmoid, logitScale: 10)
    #expect(found.predictions == expected.predictions && found.scoring == .sigmoid)
    let best = try known.classify(
      embedding: embedding.unit, scoring: .softmax, logitScale: 10, logitBias: -2, threshold: 1, topK: 1)
    #expect(best.predictions.map(\.label) == [expected.predictions[0].label] && best.isUncertain)
    #expect(abs(best.predictions[0].logit - expected.predictions[0].logit + 2) < 1e-4)
  }

  /// One that stands in a folder by itself.
  @Test(arguments: ["clip-text-projection", "siglip-text"])
  func whatDoesNotFitTheLabelsIsRefused(name: String) throws {
    let texts = try TextEmbedder(Checkout.modelFolder(name)).blocking
    let known = try texts.embed(labels: ["a cat", "a dog"])
    for embedding in known.embeddings {
      #expect(abs(embedding.values.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    }
    let seen = try texts.embed("a cat")
    let result = try known.classify(embedding: seen, scoring: .softmax, logitScale: 100)
    #expect(result.predictions[0].label == "a cat" && abs(result.predictions[0].logit - 100) < 1e-3)
    let bad = Embedding(seen.values.map { _ in .nan })
    for (embedding, scale, bias, topK) in [
      (Embedding([1, 2]), 1, 0, 1), (bad, 1, 0, 1), (seen, .infinity, 0, 1), (seen, 1, .nan, 1),
      (seen, 1, 0, 0),
    ] as [(Embedding, Float, Float, Int)] {
      let error = #expect(throws: ApusError.self) {
        try known.classify(
          embedding: embedding, scoring: .softmax, logitScale: scale, logitBias: bias, topK: topK)
      }
      #expect(error?.kind == .argument)
    }
    #expect(throws: ApusError.self) { try texts.embed(labels: ["a", "a"]) }
    #expect(throws: ApusError.self) { try texts.embed(labels: ["a"], templates: ["a photo"]) }
  }

  @Test func aLabelThatWasCutSaysSo() async throws {
    let classifier = try await ZeroShotClassifier.load(Checkout.modelFolder("clip"))
    let long = String(repeating: "a very long label ", count: 60)
    let result = try await classifier.classify(FolderFixture.picture, labels: ["a cat", long])
    for score in result.predictions { #expect(score.wasTruncated == (score.label == long)) }
  }
}
