import Apus
import TestSupport
import Testing

/// A zero-shot classifier embeds with the towers that it has open.
@Suite struct ZeroShotEmbeddingTests {
  @Test(arguments: ["clip", "siglip"]) func vectorsAreThoseOfTheEmbedders(_ name: String) async throws {
    let path = Checkout.modelFolder(name), texts = ["a cat", "two dogs"]
    let classifier = try await ZeroShotClassifier.load(path)
    let picture = try await classifier.embed(FolderFixture.picture)
    #expect(try await ImageEmbedder.load(path).embed(FolderFixture.picture) == picture)
    #expect(try classifier.blocking.embed([FolderFixture.picture]) == [picture])
    let embeddings = try await classifier.embed(texts: texts)
    #expect(try await TextEmbedder.load(path).embed(texts) == embeddings)
    #expect(try classifier.blocking.embed(texts: texts) == embeddings)
    // What a picture scores is what its vector scores.
    let seen = try await classifier.classify(FolderFixture.picture, labels: texts)
    #expect(try await classifier.classify(embedding: picture, labels: texts).predictions == seen.predictions)
    let error = await #expect(throws: ApusError.self) { try await classifier.embed("nowhere.jpg") }
    #expect(error?.kind == .file)
  }
}
