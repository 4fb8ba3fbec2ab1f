import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// The class counts before the rules of a `tokenizer.json`, and a note says so where they are others.
extension AlbertTokenizerTests {
  /// The tokens around texts are those of the file, whatever the settings name.
  @Test(arguments: [
    #"{"do_lower_case": false}"#, #"{"keep_accents": true}"#,
    #"{"do_lower_case": false, "keep_accents": true}"#,
  ])
  func settingsCountBeforeTheFile(_ settings: String) throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    let expected = try #require(cases.first { $0.settings == settings })
    let folder = try folder(settings: settings, tokenizerFile(["NFKD", "StripAccents", "Lowercase"]))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(texts.map { tokenizer.encode($0).ids } == expected.ids)
    #expect(tokenizer.notes.first?.contains("other rules for words than AlbertTokenizer") == true)
  }

  @Test func tokensAroundTextsAreThoseOfTheFile() throws {
    let folder = try folder(
      settings: #"{"cls_token": "a"}"#, tokenizerFile(["NFKD", "StripAccents", "Lowercase"]))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("").ids == [2, 3] && tokenizer.notes.isEmpty)
  }

  @Test(arguments: [
    (#""unk_id":1"#, #""unk_id":0"#, "model.unk_id"), ("WhitespaceSplit", "Whitespace", "rules for words"),
    (#"{"String":"``"}"#, #"{"String":"x"}"#, "rules for words"),
    (#""content":"\"""#, #""content":"X""#, "rules for words"),
    (#""prepend_scheme":"always""#, #""prepend_scheme":"never""#, "rules for words"),
    (#""prepend_scheme":"always""#, #""prepend_scheme":"first""#, "rules for words"),
    (#""prepend_scheme":"always""#, #""add_prefix_space":false"#, "rules for words"),
    (#""byte_fallback":false"#, #""byte_fallback":true"#, "model.byte_fallback"),
  ])
  func theClassCountsBeforeTheFile(_ rule: String, _ other: String, _ says: String) throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    let expected = try #require(cases.first { $0.settings == "{}" })
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"], replacesSpaces: true)
    let changed = json.replacing(rule, with: other)
    #expect(changed != json)
    let folder = try folder(settings: "{}", changed)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(texts.map { tokenizer.encode($0).ids } == expected.ids)
    #expect(tokenizer.notes.count == 1 && tokenizer.notes[0].contains(says), "\(tokenizer.notes)")
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

  @Test(
    arguments: [
      (nil, "always", false), (false, "never", true), (nil, "never", true), (false, "always", true),
      (nil, "first", false),
    ] as [(Bool?, String, Bool)])
  func marksOfXLMRoberta(_ prepends: Bool?, _ scheme: String, _ differs: Bool) throws {
    let key = prepends.map { #", "add_prefix_space": \#($0)"# } ?? ""
    let folder = try folder(
      settings: #"{"tokenizer_class": "XLMRobertaTokenizer"\#(key)}"#,
      xlmRobertaFile(
        scheme: scheme, normalizer: #"{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "}"#))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("a a").ids == (prepends == false ? [0, 6, 6, 2] : [0, 5, 5, 2]))
    #expect(tokenizer.notes.isEmpty == !differs, "\(tokenizer.notes)")
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
    #"{"type":"Lowercase"}"#, #"{"type":"Replace","pattern":{"String":"x_y"},"content":"_"}"#,
    #"{"type":"Replace","pattern":{"Regex":"(?<=a)b"},"content":"_"}"#,
  ])
  func otherStepsOfXLMRobertaFilesAreNamed(_ step: String) throws {
    let folder = try folder(
      settings: #"{"tokenizer_class": "XLMRobertaTokenizer"}"#,
      xlmRobertaFile(normalizer: #"{"type":"Sequence","normalizers":[\#(step)]}"#))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("a A").ids == [0, 5, 3, 2])
    #expect(tokenizer.notes.first?.contains("other rules for words than XLMRobertaTokenizer") == true)
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
