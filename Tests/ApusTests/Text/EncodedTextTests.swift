import TestSupport
import Testing

@testable import Apus

/// Texts that are encoded already give what texts give, to the last bit.
@Suite struct EncodedTextTests {
  @Test(arguments: ["clip", "siglip", "bert-sentence"])
  func encodingsGiveTheEmbeddingsOfTheirTexts(name: String) throws {
    let fixture = try FolderFixture(name), texts = fixture.expected.texts
    let embedder = try TextEmbedder(fixture.path)
    let wanted = try embedder.blocking.embed(texts)
    let encodings = texts.map { embedder.encode($0) }
    #expect(try embedder.blocking.embed(encodings: encodings) == wanted)
    // By their tokens alone, without the padding that the model asks for.
    let tokens = encodings.map { Array($0.ids[$0.content]) }
    let again = try tokens.map { try embedder.encode(tokens: $0) }
    #expect(again.map(\.ids) == encodings.map(\.ids))
    #expect(try embedder.blocking.embed(encodings: again).map(\.values) == wanted.map(\.values))
    #expect(wanted.allSatisfy { $0.values.count == embedder.width })
  }

  @Test func encodingsGiveTheClassesOfTheirTexts() throws {
    let fixture = try FolderFixture("bert-classifier"), texts = fixture.expected.texts
    let classifier = try TextClassifier(fixture.path)
    let wanted = try classifier.blocking.classify(texts).map(\.predictions)
    let encodings = try texts.map { try classifier.encode($0) }
    #expect(try classifier.blocking.classify(encodings: encodings).map(\.predictions) == wanted)
    let again = try encodings.map { try classifier.encode(tokens: $0.ids) }
    let best = try classifier.blocking.classify(encodings: again).map { $0.best(1).predictions }
    #expect(best == wanted.map { Array($0.prefix(1)) })
  }

  @Test func tokensThatTheModelDoesNotTakeAreRefused() throws {
    let embedder = try TextEmbedder(try FolderFixture("bert-sentence").path)
    for tokens in [[], [Int32](repeating: 1, count: embedder.maximumTokens + 1)] {
      let error = #expect(throws: ApusError.self) { try embedder.encode(tokens: tokens) }
      #expect(error?.kind == .argument)
    }
    for token in [Int32(-1), .max] {
      let error = #expect(throws: ApusError.self) { try embedder.encode(tokens: [token]) }
      #expect(error?.kind == .argument)
    }
  }

  @Test(
    arguments: [
      ("clip", [.zeroShot, .imageEmbedding, .textEmbedding]), ("clip-text", [.textEmbedding]),
      ("siglip-vision", [.imageEmbedding]), ("bert-sentence", [.textEmbedding]),
      ("roberta-classifier", [.textClassification]), ("vit", [.imageClassification]),
      ("mobilenetv2", [.imageClassification]), ("dinov2", [.imageEmbedding]),
      ("dinov2-classifier", [.imageClassification]),
    ] as [(String, Set<ModelTask>)])
  func modelsSayWhatTheyAreMadeFor(name: String, tasks: Set<ModelTask>) throws {
    #expect(try ModelTask.all(of: Checkout.modelFolder(name)) == tasks.union([.tensors]))
  }
}
