import Foundation
import TestSupport
import Testing

@testable import Apus

/// Pairs of texts get the tokens, types and numbers of transformers.
@Suite struct TextPairTests {
  private struct Expected: Decodable {
    let pairs: [[String]]
    let ids: [[Int32]]
    let types: [[Int32]]
    let logits: [Float]

    var texts: [TextPair] { pairs.map { TextPair($0[0], $0[1]) } }

    init(_ name: String) throws {
      let path = Checkout.modelFolder(name) + "/pairs.json"
      self = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  static let names = [
    "bert-classifier", "bert-reranker", "distilbert-classifier", "roberta-classifier",
    "xlm-roberta-classifier", "mpnet-classifier", "electra-classifier", "albert-classifier",
    "modernbert-classifier", "modernbert-reranker", "deberta-classifier", "deberta-convolution",
    "qwen3-classifier", "qwen3-reranker", "camembert-classifier",
  ]

  private func classifier(_ name: String, _ precision: Precision? = nil) throws -> TextClassifier {
    var options = TextClassifier.Options()
    options.inference.precision = precision
    return try TextClassifier(Checkout.modelFolder(name), options: options)
  }

  @Test(arguments: names)
  func tokensAndNumbersAreThoseOfTransformers(name: String) throws {
    let (classifier, expected) = (try classifier(name), try Expected(name))
    #expect(classifier.takesPairs)
    let encodings = try expected.texts.map { try classifier.encode($0) }
    #expect(encodings.map(\.ids) == expected.ids)
    // DistilBERT, ModernBERT and Qwen3 take no notice of the types that their tokenizers have for them.
    let untyped = [
      "distilbert-classifier", "modernbert-classifier", "modernbert-reranker", "qwen3-classifier",
    ]
    if !untyped.contains(name) {
      #expect(encodings.map(\.tokenTypes) == expected.types)
    }
    let results = try classifier.blocking.classify(expected.texts)
    expectClose(results.flatMap(\.outputs), expected.logits)
    #expect(results.map(\.tokenCount) == expected.ids.map(\.count))
    #expect(results.map(\.wasTruncated) == encodings.map(\.wasTruncated))
    #expect(results.count { $0.wasTruncated } >= 2)
  }

  @Test(arguments: [Precision.float32, .int8])
  func everyWayGivesTheSameToTheLastBit(precision: Precision) async throws {
    let (classifier, pairs) = (
      try classifier("bert-reranker", precision), try Expected("bert-reranker").texts
    )
    let together = try classifier.blocking.classify(pairs).map(\.outputs)
    #expect(try pairs.map { try classifier.blocking.classify($0).outputs } == together)
    let encodings = try pairs.map { try classifier.encode($0) }
    #expect(try classifier.blocking.classify(encodings: encodings).map(\.outputs) == together)
    #expect(try await classifier.classify(pairs).map(\.outputs) == together)
    #expect(try await classifier.classify(pairs[0]).outputs == together[0])
    var streamed: [[Float]] = []
    for await item in classifier.classifications(of: pairs) { streamed.append(try item.result.get().outputs) }
    #expect(streamed == together)
    // Without their types they are texts by themselves, of the same tokens.
    let texts = try encodings.map { try classifier.encode(tokens: $0.ids) }
    let plain = try classifier.blocking.classify(encodings: texts).map(\.outputs)
    let untyped = try classifier.blocking.classify(encodings: encodings.map { $0.withoutTypes() })
    #expect(untyped.map(\.outputs) == plain)
    #expect(zip(encodings, zip(plain, together)).allSatisfy { ($0.tokenTypes.contains(1)) == ($1.0 != $1.1) })
  }

  @Test func eightBitsAreNearFloat() throws {
    let (expected, classifier) = (try Expected("bert-reranker"), try classifier("bert-reranker", .int8))
    let found = try classifier.blocking.classify(expected.texts).flatMap(\.outputs)
    expectClose(found, expected.logits, tolerance: 0.1)
  }

  @Test func theEndThatIsCutIsTheCallers() throws {
    let (classifier, pair) = (
      try classifier("bert-reranker"), try #require(try Expected("bert-reranker").texts.last)
    )
    let (right, left) = (try classifier.encode(pair), try classifier.encode(pair, cutting: .left))
    #expect(right == (try classifier.encode(pair, cutting: .right)))
    #expect(right.ids.count == left.ids.count && right.ids != left.ids)
    let tokenizer = try Tokenizer(Checkout.modelFolder("bert-reranker"))
    let truncation = Truncation(maximumLength: classifier.maximumTokens, side: .left)
    #expect(tokenizer.encode(pair.first, pair.second, truncation: truncation) == left)
    #expect(try classifier.encode(pair.first, cutting: .left).ids.dropFirst().first != right.ids[1])
  }

  @Test(arguments: [
    // What the files say counts before the way of the class.
    (#"{"tokenizer_class": "BertTokenizer", "model_input_names": ["input_ids", "attention_mask"]}"#, false),
    (#"{"tokenizer_class": "BertTokenizer"}"#, true),
    (#"{"tokenizer_class": "DistilBertTokenizer"}"#, false),
    (#"{"tokenizer_class": "TokenizersBackend"}"#, false),
    (#"{"tokenizer_class": "PreTrainedTokenizerFast", "model_input_names": ["token_type_ids"]}"#, true),
  ])
  func typesAreGivenAsTransformersGivesThem(settings: String, givesTypes: Bool) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-reranker"))
    try folder.write("tokenizer_config.json", settings)
    let classifier = try TextClassifier(folder.path)
    let encoding = try classifier.encode(TextPair("a cat", "a dog"))
    #expect(encoding.tokenTypes.contains(1) == givesTypes)
    #expect(encoding.ids == (try self.classifier("bert-reranker").encode(TextPair("a cat", "a dog")).ids))
  }

  @Test(arguments: [("bert-reranker", "PreTrainedTokenizerFast"), ("albert-classifier", "AlbertTokenizer")])
  func whatVersionsDifferInIsRefused(model: String, tokenizer: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    try folder.write("tokenizer_config.json", "{\"tokenizer_class\": \"\(tokenizer)\"}")
    let classifier = try TextClassifier(folder.path)
    #expect(try !classifier.blocking.classify("a cat").outputs.isEmpty)
    let error = try #require(throws: ApusError.self) { try classifier.encode(TextPair("a cat", "a dog")) }
    #expect(error.kind == .configuration && "\(error)".contains("model_input_names"), "\(error)")
  }

  /// PyTorch ends with an index out of range there.
  @Test func aTableOfOneTypeTakesNoOther() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("roberta-classifier"))
    for name in ["tokenizer.json", "tokenizer_config.json"] {
      let bytes = try Data(
        contentsOf: URL(fileURLWithPath: Checkout.modelFolder("bert-reranker") + "/" + name))
      try folder.write(name, String(decoding: bytes, as: UTF8.self))
    }
    let classifier = try TextClassifier(folder.path)
    let error = try #require(throws: ApusError.self) { try classifier.encode(TextPair("a cat", "a dog")) }
    #expect(error.kind == .unsupportedModel && "\(error)".contains("type_vocab_size"), "\(error)")
  }

  @Test func aPairWithoutWordsIsAnError() throws {
    let classifier = try classifier("bert-reranker")
    let error = #expect(throws: ApusError.self) { try classifier.encode(TextPair(" ", "\n")) }
    #expect(error?.kind == .argument)
    #expect(try classifier.encode(TextPair("a cat", "")).ids.suffix(2) == [3, 3])
  }
}
