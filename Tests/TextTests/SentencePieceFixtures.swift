import Foundation
import TestSupport
import Text

/// The models and expectations of `Tests/Fixtures/sentencepiece`, which `Tools/fixtures/sentencepiece/make.py`
/// makes with the sentencepiece and tokenizers libraries.
enum SentencePieceFixtures {
  /// What the sentencepiece library gives with one model.
  struct Expectation: Decodable {
    /// For each text of ``texts()``.
    var ids: [[Int32]]
    /// For each of the ids.
    var decoded: [String]
    /// Ids drawn at random, and their text.
    var drawn: [[Int32]]
    var drawn_decoded: [String]
  }

  /// What the tokenizers library gives with the pieces and rules of the model `unigram`.
  struct TokenizersExpectation: Decodable {
    var texts: [Data]
    var normalized: [String]
    /// For the normalised texts with U+2581 for each space.
    var ids: [[Int32]]
    var ids_with_bytes: [[Int32]]
  }

  /// What tokenizer classes of transformers give: `SiglipTokenizer` with the model `unigram`, `T5Tokenizer`
  /// with `t5`.
  struct ClassesExpectation: Decodable {
    struct Class: Decodable {
      var ids: [[Int32]]
      var decoded: [String]
      var decoded_without_special: [String]
    }
    var texts: [Data]
    var SiglipTokenizer: Class
    var T5Tokenizer: Class
    var XLMRobertaTokenizer: Class
  }

  /// What `AlbertTokenizer` gives with the model `albert` and some settings.
  struct AlbertExpectation: Decodable {
    var settings: String
    var ids: [[Int32]]
    var decoded: [String]
    var decoded_without_special: [String]
  }

  static let modelNames = [
    "albert", "t5", "unigram", "unigram-unknown", "unigram-unused", "bpe", "bpe-unknown", "bpe-unused",
    "character",
    "word",
  ]

  private static let folder = Checkout.fixture("sentencepiece")

  static func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).model")))
  }

  static func model(_ name: String) throws -> SentencePieceModel {
    try SentencePieceModel(try bytes(of: name))
  }

  static func tokenizer(_ name: String) throws -> SentencePieceTokenizer {
    try SentencePieceTokenizer(try model(name))
  }

  static func expectation(_ name: String) throws -> Expectation { try decode(name) }

  static func tokenizersExpectation() throws -> TokenizersExpectation { try decode("tokenizers") }

  static func classesExpectation() throws -> ClassesExpectation { try decode("classes") }

  static func albertExpectation() throws -> (texts: [String], cases: [AlbertExpectation]) {
    try classExpectation("albert-classes")
  }

  /// What `DebertaV2Tokenizer` gives with the model `deberta` and some settings.
  static func deBERTaExpectation() throws -> (texts: [String], cases: [AlbertExpectation]) {
    try classExpectation("deberta-classes")
  }

  private static func classExpectation(
    _ name: String
  ) throws -> (texts: [String], cases: [AlbertExpectation]) {
    struct File: Decodable {
      var texts: [Data]
      var cases: [AlbertExpectation]
    }
    let file: File = try decode(name)
    return (file.texts.map { String(decoding: $0, as: UTF8.self) }, file.cases)
  }

  /// Texts as bytes, not all of them UTF-8.
  static func texts() throws -> [[UInt8]] {
    struct Texts: Decodable { var texts: [Data] }
    return try (decode("texts") as Texts).texts.map { [UInt8]($0) }
  }

  private static func decode<Value: Decodable>(_ name: String) throws -> Value {
    try JSONDecoder().decode(
      Value.self, from: try Data(contentsOf: folder.appendingPathComponent("\(name).json")))
  }
}
