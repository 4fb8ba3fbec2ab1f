import Foundation
import TestSupport
import Testing

@testable import Apus

/// Tokens of texts, and embeddings with the prompts of a model, are those of transformers and sentence-transformers.
@Suite struct PromptedEmbeddingTests {
  private struct Expected: Decodable {
    let texts: [String]
    let ids: [[Int32]]
    let prompted: [String: [Float]]?

    init(_ name: String) throws {
      let path = Checkout.modelFolder(name) + "/expected.json"
      self = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  @Test(arguments: ["qwen3-embedding", "qwen3", "gemma3-embedding", "nomic", "gte", "gte-arctic", "jina-v3"])
  func tokensAreThoseOfTransformers(_ name: String) throws {
    let (embedder, expected) = (try TextEmbedder(Checkout.modelFolder(name)), try Expected(name))
    for (text, ids) in zip(expected.texts, expected.ids) where ids.count <= embedder.maximumTokens {
      #expect(embedder.encode(text).ids == ids, "\(name): \(text)")
    }
  }

  @Test(arguments: ["qwen3-embedding", "gemma3-embedding"], ["query", "document"])
  func promptsGiveTheVectorsOfSentenceTransformers(_ name: String, _ prompt: String) throws {
    let (embedder, expected) = (try TextEmbedder(Checkout.modelFolder(name)), try Expected(name))
    let numbers = try #require(expected.prompted?[prompt])
    let texts = Array(expected.texts.prefix(numbers.count / embedder.width))
    let found = try embedder.blocking.embed(texts, prompt: prompt)
    expectClose(found.flatMap(\.values), numbers)
  }

  @Test(arguments: ["qwen3-embedding", "gemma3-embedding"])
  func aPromptThatNobodyHasIsRefused(_ name: String) throws {
    let embedder = try TextEmbedder(Checkout.modelFolder(name))
    let error = try #require(throws: ApusError.self) { try embedder.blocking.embed(["x"], prompt: "passage") }
    #expect(error.kind == .argument && error.expected == "query, document")
  }

  @Test(arguments: ["qwen3-embedding", "gemma3-embedding", "nomic", "gte"])
  func fewerBitsComeClose(_ name: String) throws {
    let texts = try Array(Expected(name).texts.prefix(4))
    let folder = Checkout.modelFolder(name)
    let exact = try TextEmbedder(folder).blocking.embed(texts)
    for precision in [Precision.bfloat16, .int8] where precision.isAvailable {
      var options = TextEmbedder.Options()
      options.inference.precision = precision
      let found = try TextEmbedder(folder, options: options).blocking.embed(texts)
      // Two layers of random weights keep this much.
      for (a, b) in zip(exact, found) { #expect(a.cosine(b) > 0.98, "\(name) \(precision)") }
    }
  }
}
