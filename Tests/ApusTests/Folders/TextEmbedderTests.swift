import Foundation
import TestSupport
import Testing

@testable import Apus

/// Texts become PyTorch's embeddings, tokenizer and all, in any batch and by either way in.
@Suite struct TextEmbedderTests {
  @Test(arguments: ["clip", "siglip", "open-clip"])
  func towersGiveTheReferencesEmbeddings(name: String) throws {
    let fixture = try FolderFixture(name)
    let embedder = try TextEmbedder(fixture.path, options: .init(length: .raw))
    let embeddings = try embedder.blocking.embed(fixture.expected.texts)
    for (found, expected) in zip(embeddings, try fixture.rows(fixture.expected.text_embeddings)) {
      expectClose(found.values, expected)
    }
  }

  @Test(arguments: [
    "bert-sentence", "bert-sentence-cls", "mpnet", "electra", "albert", "modernbert", "modernbert-cls",
    "deberta", "deberta-c2p",
  ])
  func sentenceEncodersGiveTheReferencesEmbeddings(name: String) throws {
    let fixture = try FolderFixture(name)
    let embeddings = try TextEmbedder(fixture.path, options: .init(length: .raw)).blocking.embed(
      fixture.expected.texts)
    for (found, expected) in zip(embeddings, try fixture.rows(fixture.expected.embeddings)) {
      expectClose(found.values, expected)
    }
  }

  /// As the first versions of sentence-transformers wrote folders.
  @Test func aModelInTheFolderOfItsModuleGivesTheSameEmbeddings() throws {
    let fixture = try FolderFixture("bert-sentence")
    let folder = try TemporaryFolder(copying: fixture.path)
    let modules = try String(contentsOfFile: folder.path + "/modules.json", encoding: .utf8)
    try folder.write(
      "modules.json",
      modules.replacing("\"path\": \"\"", with: "\"path\": \"./0_Transformer\"", maxReplacements: 1))
    let moved = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/0_Transformer", withIntermediateDirectories: false)
    for name in moved where name != "modules.json" && name != "1_Pooling" {
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/\(name)", toPath: "\(folder.path)/0_Transformer/\(name)")
    }
    let texts = fixture.expected.texts
    let found = try TextEmbedder(folder.path).blocking.embed(texts).map(\.values)
    #expect(try found == TextEmbedder(fixture.path).blocking.embed(texts).map(\.values))
  }

  @Test func aTextHasTheSameEmbeddingInAnyBatch() async throws {
    let fixture = try FolderFixture("bert-sentence")
    let embedder = try TextEmbedder(fixture.path)
    let texts = (0..<40).flatMap { _ in fixture.expected.texts }
    let together: [Embedding] = try await embedder.embed(texts)
    for (text, found) in zip(texts, together).prefix(12) {
      let alone: Embedding = try await embedder.embed(text)
      expectClose(found.values, alone.values, tolerance: 1e-6)
    }
    #expect(together.count == texts.count)
  }

  @Test func aLongTextIsCutAndSaysSo() throws {
    let fixture = try FolderFixture("bert-sentence")
    let embedder = try TextEmbedder(fixture.path)
    let long = Array(repeating: "a photo of a cat", count: 500).joined(separator: " ")
    #expect(try embedder.blocking.embed(long).wasTruncated)
    #expect(try !embedder.blocking.embed("a photo of a cat").wasTruncated)
  }

  @Test func anEmptyTextHasAnEmbedding() throws {
    let fixture = try FolderFixture("bert-sentence")
    let values = try TextEmbedder(fixture.path).blocking.embed("").values
    #expect(values.allSatisfy(\.isFinite) && values.contains { $0 != 0 })
  }

  /// The module's own lower case comes behind the search for special tokens, as in sentence-transformers.
  @Test func lowerCaseOfAModuleLeavesSpecialTokens() throws {
    let fixture = try FolderFixture("bert-sentence-cls")
    let folder = try TemporaryFolder(copying: fixture.path)
    try folder.write("sentence_bert_config.json", #"{"max_seq_length": 32, "do_lower_case": true}"#)
    let lowered = try TextEmbedder(folder.path).blocking.embed("The [MASK] Film")
    let plain = try TextEmbedder(fixture.path)
    #expect(try lowered.values == plain.blocking.embed("the [MASK] film").values)
    #expect(try lowered.values != plain.blocking.embed("the [mask] film").values)
  }

  /// SigLIP's text network runs on one number of tokens.
  @Test func shorterTextsThanTheModelTakesAreRefused() throws {
    let folder = try TemporaryFolder(copying: FolderFixture("siglip-text").path)
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 6, "pad_token": "</s>"}"#)
    let error = try #require(throws: ApusError.self) { try TextEmbedder(folder.path) }
    #expect("\(error)".contains("model_max_length"), "\(error)")
  }

  /// A list of modules without Normalize leaves CLIP's vectors as long as they are, of texts and pictures both.
  @Test func modulesWithoutNormalizeLeaveLengths() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "modules.json", #"[{"path": "0_CLIPModel", "type": "sentence_transformers.models.CLIPModel"}]"#)
    try FileManager.default.copyItem(
      atPath: Checkout.modelFolder("clip"), toPath: "\(folder.path)/0_CLIPModel")
    let (texts, pictures) = (try TextEmbedder(folder.path), try ImageEmbedder(folder.path))
    #expect(!texts.normalizes && !pictures.normalizes)
    let found = try texts.blocking.embed("a cat").values
    let raw = try TextEmbedder(Checkout.modelFolder("clip"), options: .init(length: .raw))
    let expected = try raw.blocking.embed("a cat").values
    #expect(found == expected)
    let alone = try TextEmbedder(Checkout.modelFolder("clip"))
    #expect(alone.normalizes)
  }

  @Test func aUnitVectorHasTheDirectionOfTheRawOne() throws {
    let fixture = try FolderFixture("clip")
    let raw = try TextEmbedder(fixture.path, options: .init(length: .raw)).blocking.embed("a cat")
    let unit = try TextEmbedder(fixture.path, options: .init(length: .unit)).blocking.embed("a cat")
    #expect(abs(raw.cosine(unit) - 1) < 1e-6)
    #expect(abs(unit.values.reduce(0) { $0 + $1 * $1 } - 1) < 1e-6)
  }

  @Test(arguments: [(Precision.bfloat16, Float(0.999)), (.int8, 0.99)].filter { $0.0.isAvailable })
  func otherPrecisionsComeClose(precision: Precision, cosine: Float) throws {
    let fixture = try FolderFixture("bert-sentence")
    var options = TextEmbedder.Options()
    let reference = try TextEmbedder(fixture.path).blocking.embed(fixture.expected.texts)
    options.inference.precision = precision
    let found = try TextEmbedder(fixture.path, options: options).blocking.embed(fixture.expected.texts)
    for (a, b) in zip(found, reference) { #expect(a.cosine(b) > cosine) }
  }

  @Test func modelsForOtherThingsAreRefused() throws {
    let fixture = try FolderFixture("bert-classifier")
    #expect { try TextEmbedder(fixture.path) } throws: {
      let error = $0 as? ApusError
      return error?.kind == .unsupportedModel && error?.file == fixture.path
    }
    #expect { try TextEmbedder("nobody/has-this-model") } throws: {
      ($0 as? ApusError)?.advice?.contains("hf download nobody/has-this-model") == true
    }
  }

  /// The library sets its tokenizer's own limit to that of the module.
  @Test func theLengthOfTheModuleCountsBeforeThatOfTheTokenizer() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "BertTokenizer", "model_max_length": 8}"#)
    for (stated, expected) in [("16", 16), ("4", 4), ("null", 8)] {
      try folder.write("sentence_bert_config.json", #"{"max_seq_length": \#(stated)}"#)
      #expect(try TextEmbedder(folder.path).maximumTokens == expected)
    }
  }

  @Test func aTokenizerMayPutNoTokensAroundATextAndThenNeedsWords() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    let file = URL(fileURLWithPath: folder.path + "/tokenizer.json")
    var json = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    json["post_processor"] = NSNull()
    try JSONSerialization.data(withJSONObject: json).write(to: file)
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "PreTrainedTokenizerFast"}"#)
    let embedder = try TextEmbedder(folder.path)
    #expect(try embedder.blocking.embed("a photo of a cat").values.contains { $0 != 0 })
    let error = try #require(throws: ApusError.self) { try embedder.blocking.embed(["a cat", ""]) }
    #expect(
      error.kind == .argument && error.location == "text 1" && error.problem == "the text has no tokens")
  }

  /// The fault is not that of who gave the text.
  @Test func aTokenThatTheModelHasNoRowForIsAFaultOfTheModel() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    let settings = #"{"tokenizer_class": "BertTokenizer", "extra_special_tokens": ["zzz"]}"#
    try folder.write("tokenizer_config.json", settings)
    let embedder = try TextEmbedder(folder.path)
    let error = try #require(throws: ApusError.self) { try embedder.blocking.embed("a zzz") }
    #expect(error.kind == .malformedModel, "\(error)")
    let given = try #require(throws: ApusError.self) { try embedder.encode(tokens: [1 << 20]) }
    #expect(given.kind == .argument)
  }
}
