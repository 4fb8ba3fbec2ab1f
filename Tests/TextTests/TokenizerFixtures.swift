import Formats
import Foundation
import TestSupport
import Testing

@testable import Text

/// The tokenizers of `Tests/Fixtures/tokenizers`, which `Tools/fixtures/tokenizers/make.py` makes with the
/// `tokenizers` library, and what the library gives with each.
struct TokenizerFixture: Decodable {
  struct Row: Decodable {
    var ids: [Int32]
    /// Where the ids without special tokens stand in `ids`.
    var plain: [Int]
    /// Nil where all are 0.
    var types: [Int32]?
    /// With special tokens.
    var decoded: String
    /// Without special tokens, where that differs.
    var skipped: String?
  }

  struct Pair: Decodable {
    var first: String
    var second: String
    var ids: [Int32]
    var types: [Int32]
  }

  var rows: [Row]
  var pair: Pair

  static let names = [
    "bert", "bert_cased", "clip", "gpt2", "roberta", "llama3", "gemma", "pieces_without_bytes",
    "joined_unknown",
    "unigram", "first_metaspace", "modernbert",
  ]

  private struct Texts: Decodable { var texts: [String] }

  private static let folder = Checkout.fixture("tokenizers")

  static func texts() throws -> [String] {
    try JSONDecoder().decode(Texts.self, from: Data(contentsOf: folder.appendingPathComponent("texts.json")))
      .texts
  }

  init(_ name: String) throws {
    self = try JSONDecoder().decode(
      Self.self, from: Data(contentsOf: Self.folder.appendingPathComponent("\(name).expected.json")))
  }

  /// The bytes of the `tokenizer.json` of a fixture.
  static func tokenizerJSON(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).tokenizer.json")))
  }

  static func tokenizer(_ name: String) throws -> Tokenizer {
    try Tokenizer(contentsOf: folder.appendingPathComponent("\(name).tokenizer.json").path)
  }
}
