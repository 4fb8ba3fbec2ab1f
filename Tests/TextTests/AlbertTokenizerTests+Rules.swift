import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// A `tokenizer.json` has the rules of the class, or is refused.
extension AlbertTokenizerTests {
  /// Other libraries would go by the file.
  @Test(arguments: [
    (#"{"do_lower_case": false}"#, "normalizer"), (#"{"keep_accents": true}"#, "normalizer"),
    (#"{"cls_token": "a"}"#, "post_processor"),
    (#"{"tokenizer_class": "XLMRobertaTokenizer"}"#, "normalizer"),
  ])
  func otherRulesThanThoseOfTheFileAreRefused(_ settings: String, _ says: String) throws {
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"])
    let folder = try folder(settings: settings, json)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.kind == .unsupportedModel && "\(error)".contains(says), "\(error)")
  }

  @Test(arguments: [
    (#""unk_id":1"#, #""unk_id":0"#, "unk_id"), ("WhitespaceSplit", "Whitespace", "pre_tokenizer"),
    (#"{"String":"``"}"#, #"{"String":"x"}"#, #"Replace "x" by """#),
    (#"{"String":"''"}"#, #"{"Regex":"''"}"#, "Replace /''/ by"),
    (#""content":"\"""#, #""content":"X""#, #"Replace "``" by "X""#),
    (#"{"Regex":" {2,}"}"#, #"{"Regex":" {3,}"}"#, "Replace / {3,}/ by"),
    (#"{"type":"NFKD"}"#, #"{"type":"NFD"}"#, "NFD, StripAccents"),
    (#""prepend_scheme":"always""#, #""prepend_scheme":"never""#, #"Say "add_prefix_space": false"#),
    (#""prepend_scheme":"always""#, #""prepend_scheme":"first""#, "PreTrainedTokenizerFast"),
    (#""prepend_scheme":"always""#, #""add_prefix_space":false"#, #"Say "add_prefix_space": false"#),
    (#""split":true"#, #""split":false"#, "replacement or split"),
  ])
  func otherRulesThanThoseOfTheClassAreRefused(_ rule: String, _ other: String, _ says: String) throws {
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"], replacesSpaces: true)
    let changed = json.replacing(rule, with: other)
    #expect(changed != json)
    let folder = try folder(settings: "{}", changed)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect("\(error)".contains(says), "\(error)")
  }

  /// One list says what is expected, whatever may stand before and behind it, and the keys what would make it right.
  @Test(arguments: [
    (#"{"do_lower_case": false}"#, #"Say "do_lower_case": true in"#),
    (#"{"keep_accents": true}"#, #"Say "keep_accents": false in"#),
    (
      #"{"do_lower_case": false, "keep_accents": true}"#,
      #"Say "do_lower_case": true and "keep_accents": false in"#
    ),
  ])
  func keysThatDifferFromTheFileAreNamed(_ settings: String, _ says: String) throws {
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"])
    let folder = try folder(settings: settings, json)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.advice?.hasPrefix(says) == true, "\(error)")
    #expect(error.expected?.contains(" or ") == false && error.location == "normalizer", "\(error)")
    #expect(error.expected?.hasPrefix(#"Replace "``" by """#) == true, "\(error)")
  }

  /// Marks as the settings say, under their older name too, and a step of lower case as sentence-transformers saves one.
  @Test(arguments: [
    (#""prepend_scheme":"always""#, #""prepend_scheme":"never""#, #"{"add_prefix_space": false}"#),
    (#""prepend_scheme":"always""#, #""add_prefix_space":false"#, #"{"add_prefix_space": false}"#),
    (#""prepend_scheme":"always""#, #""add_prefix_space":true"#, "{}"),
    (#""normalizers":["#, #""normalizers":[{"type":"Lowercase"},"#, "{}"),
    (#"{"type":"WhitespaceSplit"},"#, "", "{}"),
  ])
  func sameRulesOtherwiseStated(_ rule: String, _ other: String, _ settings: String) throws {
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"])
    let changed = json.replacing(rule, with: other)
    #expect(changed != json)
    let (written, raw) = try (folder(settings: settings, changed), folder(settings: settings))
    let (tokenizer, usual) = try (Tokenizer(contentsOf: written.path), Tokenizer(contentsOf: raw.path))
    for text in ["The ``cat'' (left", "Éa  cat", ""] {
      #expect(tokenizer.encode(text).ids == usual.encode(text).ids, "\(text)")
    }
  }

  /// A file of XLM-RoBERTa is held to the marks of its class too.
  @Test(
    arguments: [
      (nil, "always", nil), (false, "never", nil), (nil, "never", #"Say "add_prefix_space": false"#),
      (false, "always", #"Say "add_prefix_space": true"#), (nil, "first", "PreTrainedTokenizerFast"),
    ] as [(Bool?, String, String?)])
  func marksOfXLMRoberta(_ prepends: Bool?, _ scheme: String, _ says: String?) throws {
    let key = prepends.map { #", "add_prefix_space": \#($0)"# } ?? ""
    let folder = try folder(
      settings: #"{"tokenizer_class": "XLMRobertaTokenizer"\#(key)}"#, xlmRobertaFile(scheme: scheme))
    guard let says else {
      let ids = try Tokenizer(contentsOf: folder.path).encode("a a").ids
      #expect(ids == (prepends == false ? [0, 6, 6, 2] : [0, 5, 5, 2]))
      return
    }
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect("\(error)".contains(says) && error.location == "pre_tokenizer", "\(error)")
  }

  private func xlmRobertaFile(scheme: String = "always", normalizer: String = "null") -> String {
    #"""
    {"version": "1.0", "added_tokens": [], "normalizer": \#(normalizer),
     "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "\#(scheme)"},
     "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0],
                        "trim_offsets": true, "add_prefix_space": false},
     "decoder": null,
     "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": false,
               "vocab": [["<s>", 0], ["<pad>", 0], ["</s>", 0], ["<unk>", 0], ["<mask>", 0], ["▁a", -1], ["a", -2]]}}
    """#
  }

  /// What converters of version 4 wrote for white space makes no difference, as the class has none of it.
  @Test(arguments: [
    "[]", #"[{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "}]"#,
    #"[{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"}]"#,
    #"""
    [{"type":"Strip","strip_left":false,"strip_right":true},
     {"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"}]
    """#,
  ])
  func whiteSpaceOfXLMRobertaFiles(_ steps: String) throws {
    let folder = try folder(
      settings: #"{"tokenizer_class": "XLMRobertaTokenizer"}"#,
      xlmRobertaFile(normalizer: #"{"type":"Sequence","normalizers":\#(steps)}"#))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    for text in ["a a", "  a   a  ", "a  ▁a"] {
      #expect(tokenizer.encode(text).ids == [0, 5, 5, 2], "\(text)")
    }
  }

  @Test(arguments: [
    #"{"type":"Strip","strip_left":true,"strip_right":true}"#, #"{"type":"Lowercase"}"#,
    #"{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"_"}"#,
    #"{"type":"Sequence","normalizers":[]}"#,
  ])
  func otherStepsOfXLMRobertaFilesAreRefused(_ step: String) throws {
    let folder = try folder(
      settings: #"{"tokenizer_class": "XLMRobertaTokenizer"}"#,
      xlmRobertaFile(normalizer: #"{"type":"Sequence","normalizers":[\#(step)]}"#))
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.kind == .unsupportedModel && error.location == "normalizer", "\(error)")
  }

  /// Many have BERT's vocabulary in an ALBERT, and name no class.
  @Test func aModelOfAnotherTypeIsNamed() throws {
    let file = #"""
      {"version": "1.0", "added_tokens": [],
       "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                      "strip_accents": null, "lowercase": true},
       "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null, "decoder": null,
       "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                 "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "a": 1}}}
      """#
    let folder = try folder(settings: "{}", file)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.kind == .unsupportedModel && error.location == "model.type", "\(error)")
    #expect(error.advice?.contains("BertTokenizer") == true, "\(error)")
  }

  /// The key is BERT's; the class goes by `keep_accents`.
  @Test func strippedAccentsHaveNoSay() throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    let expected = try #require(cases.first { $0.settings == "{}" })
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"])
    for value in ["true", "false", "null"] {
      for file in [nil, json] {
        let folder = try folder(settings: #"{"strip_accents": \#(value)}"#, file)
        let tokenizer = try Tokenizer(contentsOf: folder.path)
        #expect(texts.map { tokenizer.encode($0).ids } == expected.ids, "\(value)")
      }
    }
  }
}
