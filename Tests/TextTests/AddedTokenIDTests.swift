import TensorCore
import TestSupport
import Testing

@testable import Text

/// The ids of added tokens where those of the pieces leave gaps. What is expected is what `AutoTokenizer` of transformers
/// 5.23.0 and tokenizers 0.23.3 give for the same files.
@Suite("Added tokens of a vocabulary with gaps")
struct AddedTokenIDTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let added: String
    var settings = ""
    let ids: [Int32]
    /// The tokens of the ids from 0.
    let tokens: [String?]
    var testDescription: String { "\(added) \(settings)" }
  }

  /// One of two equal lines has no id: there are ten pieces, and the last has the id 10.
  private static let lines = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world", "hello", "a", "b", "[X]",
  ]

  @Test(
    "tokens beside vocab.txt count on from the number of its pieces, and may hide one",
    arguments: [
      Case(
        added: #""<brand>", "<b2>""#, ids: [2, 7, 10, 11, 1, 1, 1, 9, 3], tokens: ["<brand>", "<b2>"]),
      Case(
        added: #""[X]", "<brand>", "<b2>""#, ids: [2, 7, 10, 11, 1, 1, 1, 9, 3], tokens: ["<brand>", "<b2>"]),
      Case(
        added: #""<brand>", "<b2>", "[X]""#, ids: [2, 7, 1, 1, 1, 11, 10, 9, 3], tokens: ["[X]", "<b2>"]),
    ])
  func lines(_ item: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write("vocab.txt", Self.lines.joined(separator: "\n") + "\n")
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "BertTokenizer", "extra_special_tokens": [\#(item.added)]}"#)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    let ids = tokenizer.encode("hello <brand> <b2> [X] b").ids
    #expect(ids == item.ids)
    #expect([tokenizer.token(of: 10), tokenizer.token(of: 11)] == item.tokens)
    #expect(tokenizer.decode([9, 10], skippingSpecialTokens: false) == "b \(item.tokens[0] ?? "")")
  }

  private static func file(_ added: String) -> String {
    let tokens = added.split(separator: "|").map { entry -> String in
      let parts = entry.split(separator: " ")
      return #"{"id": \#(parts[0]), "content": "\#(parts[1])", "normalized": false, "special": false}"#
    }
    return """
      {"version": "1.0", "added_tokens": [\(tokens.joined(separator: ", "))],
       "pre_tokenizer": {"type": "Whitespace"},
       "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "x": 1, "y": 5}}}
      """
  }

  @Test(
    "tokens of tokenizer.json count on from the number of pieces, and further ones from the highest id",
    arguments: [
      Case(
        added: "3 <a>|4 <b>|5 <c>", ids: [1, 5, 3, 4, 5], tokens: ["[UNK]", "x", nil, "<a>", "<b>", "<c>"]),
      Case(
        added: "3 <a>|5 y|4 <b>", ids: [1, 5, 3, 4, 0, 0, 0],
        tokens: ["[UNK]", "x", nil, "<a>", "<b>", "y"]),
      Case(
        added: "3 <a>|4 <b>|5 <c>|5 y", ids: [1, 5, 3, 4, 0, 0, 0],
        tokens: ["[UNK]", "x", nil, "<a>", "<b>", "y"]),
      Case(
        added: "5 y", settings: #""<a>", "<b>""#, ids: [1, 5, 6, 7, 0, 0, 0],
        tokens: ["[UNK]", "x", nil, nil, nil, "y", "<a>", "<b>"]),
      Case(
        added: "3 <a>", settings: #""y", "<b>""#, ids: [1, 5, 3, 4, 0, 0, 0],
        tokens: ["[UNK]", "x", nil, "<a>", "<b>", "y"]),
    ])
  func files(_ item: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write("tokenizer.json", Self.file(item.added))
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "extra_special_tokens": [\#(item.settings)]}"#)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    let ids = tokenizer.encode("x y <a> <b> <c>").ids
    #expect(ids == item.ids)
    let tokens = item.tokens.indices.map { tokenizer.token(of: Int32($0)) }
    #expect(tokens == item.tokens)
  }

  /// The library gives the tokens other ids than such a file states, and says nothing.
  @Test("ids behind the highest of a vocabulary with gaps are refused")
  func otherIDs() throws {
    let bytes = Array(Self.file("6 <a>|7 <b>").utf8)
    let error = #expect(throws: ApusError.self) {
      try Tokenizer(tokenizerJSON: bytes, file: "tokenizer.json")
    }
    #expect("\(try #require(error))".contains("is 6, expected 3"))
  }
}
