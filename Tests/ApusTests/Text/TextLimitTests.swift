import TestSupport
import Testing

@testable import Apus

/// A limit that cuts the special tokens around texts is refused: transformers cuts nothing then.
struct TextLimitTests {
  private func folder(_ model: String, _ length: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    let name = model.hasPrefix("roberta") ? "RobertaTokenizer" : "BertTokenizer"
    try folder.write(
      "tokenizer_config.json", #"{"tokenizer_class": "\#(name)", "model_max_length": \#(length)}"#)
    return folder
  }

  private func classifier(_ model: String, _ length: Int) throws -> TextClassifier {
    let folder = try folder(model, length)
    defer { withExtendedLifetime(folder) {} }
    return try TextClassifier(folder.path)
  }

  @Test(arguments: ["bert-classifier", "roberta-classifier"])
  func ofOneText(_ model: String) throws {
    let short = try folder(model, 1)
    let error = try #require(throws: ApusError.self) { try TextClassifier(short.path) }
    #expect(error.kind == .unsupportedModel && error.problem.contains("1 token"), "\(error)")
    #expect(error.file == short.path && error.advice?.contains("model_max_length") == true)
    let least = try classifier(model, 2)
    let result = try least.blocking.classify("a cat")
    #expect(result.tokenCount == 2 && result.wasTruncated)
  }

  @Test(arguments: [("bert-classifier", 3), ("roberta-classifier", 4)])
  func ofAPair(_ model: String, _ count: Int) throws {
    let pair = TextPair("a cat", "the dog")
    let short = try classifier(model, count - 1)
    let error = try #require(throws: ApusError.self) { try short.encode(pair) }
    #expect(error.kind == .unsupportedModel && error.problem.contains("pairs"), "\(error)")
    let least = try classifier(model, count)
    let encoding = try least.encode(pair)
    #expect(encoding.ids.count == count && encoding.wasTruncated)
  }

  @Test func ofModules() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    try folder.write("sentence_bert_config.json", #"{"max_seq_length": 1, "do_lower_case": false}"#)
    let error = try #require(throws: ApusError.self) { try TextEmbedder(folder.path) }
    #expect(error.advice?.contains("max_seq_length") == true, "\(error)")
  }
}
