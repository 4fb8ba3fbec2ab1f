import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// What `tokenizer_config.json` and its older siblings say holds beside `tokenizer.json` as in transformers, or is
/// refused. The ids are those of `AutoTokenizer` in transformers 5.23.0 for the same files.
@Suite("Settings beside tokenizer.json")
struct TokenizerSettingsTests {
  private static let pieces = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world", "##s", "Hello", "é", "e", "cafe", "café",
    "!",
    ",", "中", "国", "中国", "a", "b", "##a", "##b", "foo", "bar",
  ]
  static let text = "Hello café 中国 foo bar [MASK] hello,world!"
  /// The ids without further settings.
  static let plain: [Int32] = [2, 5, 11, 15, 16, 22, 23, 4, 5, 14, 6, 13, 3]

  struct Case: Sendable, CustomTestStringConvertible {
    let settings: String
    var file = "tokenizer_config.json"
    let ids: [Int32]
    var testDescription: String { "\(file): \(settings)" }
  }

  /// A folder of BERT with its `tokenizer.json` in lower case.
  func folder(_ settings: String, _ file: String = "tokenizer_config.json") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("config.json", #"{"model_type": "bert"}"#)
    try folder.write("tokenizer.json", Self.tokenizer)
    try folder.write(file, settings)
    return folder
  }

  private static var tokenizer: String {
    let vocabulary = pieces.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
    let added = (0..<5).map { id in
      """
      {"id": \(id), "content": "\(pieces[id])", "single_word": false, "lstrip": false, "rstrip": false,
       "normalized": false, "special": true}
      """
    }
    let single = """
      {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
      {"SpecialToken": {"id": "[SEP]", "type_id": 0}}
      """
    return """
      {"version": "1.0", "truncation": null, "padding": null,
       "added_tokens": [\(added.joined(separator: ", "))],
       "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
        "strip_accents": null, "lowercase": true},
       "pre_tokenizer": {"type": "BertPreTokenizer"},
       "post_processor": {"type": "TemplateProcessing", "single": [\(single)],
        "pair": [\(single), {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
         "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
       "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
       "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100, "vocab": {\(vocabulary)}}}
      """
  }

  @Test(
    "settings of the class hold",
    arguments: [
      Case(settings: "{}", ids: plain),
      Case(settings: #"{"do_lower_case": false}"#, ids: [2, 8, 12, 15, 16, 22, 23, 4, 5, 14, 6, 13, 3]),
      Case(settings: #"{"strip_accents": false}"#, ids: [2, 5, 12, 15, 16, 22, 23, 4, 5, 14, 6, 13, 3]),
      Case(settings: #"{"tokenize_chinese_chars": false}"#, ids: [2, 5, 11, 17, 22, 23, 4, 5, 14, 6, 13, 3]),
      Case(
        settings: #"{"split_special_tokens": true}"#,
        ids: [2, 5, 11, 15, 16, 22, 23, 1, 1, 1, 5, 14, 6, 13, 3]),
      Case(settings: #"{"extra_special_tokens": ["foo"]}"#, ids: plain),
      Case(settings: #"{"never_split": ["foo"], "do_basic_tokenize": false}"#, ids: plain),
      Case(settings: #"{"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": false}"#, ids: plain),
      Case(settings: #"{"mask_token": "bar"}"#, file: "special_tokens_map.json", ids: plain),
    ])
  func areUsed(_ this: Case) throws {
    let folder = try folder(this.settings, this.file)
    #expect(try Tokenizer(contentsOf: folder.path).encode(Self.text).ids == this.ids)
  }

  /// RoBERTa's class has no space there unless it is asked for, whatever `tokenizer.json` says.
  @Test(
    "the space before a text is that of the settings",
    arguments: [(nil, "false"), ("false", "true"), ("true", "false"), (nil, "true")] as [(String?, String)])
  func prefixSpace(_ asked: String?, _ stated: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("roberta-classifier"))
    let tokenizer = try String(contentsOfFile: folder.path + "/tokenizer.json", encoding: .utf8)
    let changed = tokenizer.replacing(
      #""ByteLevel","add_prefix_space":false"#, with: #""ByteLevel","add_prefix_space":\#(stated)"#)
    #expect((changed == tokenizer) == (stated == "false"))
    try folder.write("tokenizer.json", changed)
    let space = asked.map { #", "add_prefix_space": \#($0)"# } ?? ""
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "RobertaTokenizer"\#(space)}"#)
    let first: Int32 = asked == "true" ? 288 : 69
    let ids = try Tokenizer(contentsOf: folder.path).encode("a photo of a cat").ids
    #expect(ids == [0, first, 319, 83, 290, 288, 278, 69, 88, 2])
  }

  @Test("special tokens that only the settings name are found within words")
  func furtherTokens() throws {
    for settings in [
      #"{"extra_special_tokens": ["ell"]}"#, #"{"additional_special_tokens": ["ell"]}"#,
      #"{"extra_special_tokens": {"my_token": "ell"}}"#, #"{"my_token": "ell"}"#, #"{"eos_token": "ell"}"#,
    ] {
      let folder = try folder(settings)
      let ids = try Tokenizer(contentsOf: folder.path).encode("hello").ids
      #expect(ids == [2, 1, 24, 1, 3], "\(settings)")
    }
  }

  @Test("a special token that is null is text like any other in a raw vocabulary")
  func nullTokens() throws {
    let raw = try TemporaryFolder()
    try raw.write("config.json", #"{"model_type": "bert"}"#)
    try raw.write("vocab.txt", Self.pieces.joined(separator: "\n") + "\n")
    #expect(try Tokenizer(contentsOf: raw.path).encode("hello[MASK]").ids == [2, 5, 4, 3])
    try raw.write("tokenizer_config.json", #"{"mask_token": null}"#)
    #expect(try Tokenizer(contentsOf: raw.path).encode("hello[MASK]").ids == [2, 5, 1, 1, 1, 3])
    try raw.write("tokenizer_config.json", "{}")
    try raw.write("special_tokens_map.json", #"{"mask_token": null}"#)
    #expect(try Tokenizer(contentsOf: raw.path).encode("hello[MASK]").ids == [2, 5, 1, 1, 1, 3])
  }

  @Test("lower case before all else leaves tokens that are looked for as they stand")
  func lowercasing() throws {
    let folder = try folder(#"{"do_lower_case": false}"#)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("Hello [MASK]").ids == [2, 8, 4, 3])
    #expect(tokenizer.lowercasing().encode("Hello [MASK]").ids == [2, 5, 4, 3])
  }

  @Test("older files hold where tokenizer_config.json numbers no tokens")
  func olderFiles() throws {
    let map = try folder(#"{"cls_token": "foo"}"#, "special_tokens_map.json")
    #expect(try Tokenizer(contentsOf: map.path).encode(Self.text).ids == [22] + Self.plain.dropFirst())
    try map.write("tokenizer_config.json", #"{"added_tokens_decoder": {}}"#)
    #expect(try Tokenizer(contentsOf: map.path).encode(Self.text).ids == Self.plain)

    let raw = try TemporaryFolder()
    try raw.write("config.json", #"{"model_type": "bert"}"#)
    try raw.write("vocab.txt", Self.pieces.joined(separator: "\n") + "\n")
    try raw.write("special_tokens_map.json", #"{"cls_token": "foo"}"#)
    try raw.write("added_tokens.json", #"{"ell": 24}"#)
    #expect(try Tokenizer(contentsOf: raw.path).encode("hello world").ids == [22, 1, 24, 1, 6, 3])
    try raw.write("added_tokens.json", #"{"ell": 30}"#)
    #expect(throws: ApusError.self) { try Tokenizer(contentsOf: raw.path) }
  }

  /// A folder of BERT with its pieces in `vocab.txt`.
  func rawFolder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("config.json", #"{"model_type": "bert"}"#)
    try folder.write("vocab.txt", Self.pieces.joined(separator: "\n") + "\n")
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  /// The tokenizer of a folder that lasts no longer.
  func tokenizer(_ folder: TemporaryFolder) throws -> Tokenizer {
    try withExtendedLifetime(folder) { try Tokenizer(contentsOf: folder.path) }
  }

  @Test(
    "new special tokens get their ids in the library's order of names, then in that of the file",
    arguments: [
      (#"{"pad_token": "[P]", "mask_token": "[M]"}"#, "[P] [M]"),
      (#"{"mask_token": "[M]", "pad_token": "[P]"}"#, "[P] [M]"),
      (#"{"foo_token": "[F]", "a_token": "[A]"}"#, "[F] [A]"),
      (#"{"foo_token": "[F]", "bos_token": "[B]"}"#, "[B] [F]"),
      (#"{"extra_special_tokens": {"y_token": "[Y]", "x_token": "[X]"}}"#, "[Y] [X]"),
      (
        #"{"extra_special_tokens": {"y_token": "[Y]", "a": "[X]"}, "bos_token": "[B]", "foo_token": "[F]"}"#,
        "[B] [F] [Y] [X]"
      ),
      (#"{"extra_special_tokens": ["[Y]", "[X]"], "foo_token": "[F]"}"#, "[F] [Y] [X]"),
    ])
  func newIDs(_ settings: String, _ text: String) throws {
    let count = Int32(text.split(separator: " ").count)
    let expected = [2] + (24..<(24 + count)) + [3]
    let raw = try rawFolder(["tokenizer_config.json": settings])
    #expect(try tokenizer(raw).encode(text).ids == expected)
    #expect(try tokenizer(folder(settings)).encode(text).ids == expected)
  }

  @Test(
    "a list of older files counts where the library reads it",
    arguments: [
      // The older name does not join the list of the configuration.
      (
        [
          "tokenizer_config.json": #"{"additional_special_tokens": ["Foo"]}"#,
          "special_tokens_map.json": #"{"additional_special_tokens": ["<Bar>"]}"#,
        ],
        "<Bar> Foo", [2, 1, 23, 1, 24, 3]
      ),
      (
        [
          "tokenizer_config.json": #"{"extra_special_tokens": ["Foo"]}"#,
          "special_tokens_map.json": #"{"extra_special_tokens": ["<Bar>"]}"#,
        ],
        "<Bar> Foo", [2, 25, 24, 3]
      ),
      // What added_tokens.json has is special by the library's names and the newer list alone.
      (
        [
          "added_tokens.json": #"{"Foo": 24}"#,
          "special_tokens_map.json": #"{"additional_special_tokens": ["Foo"]}"#,
        ],
        "foo Foo", [2, 24, 24, 3]
      ),
      (
        [
          "added_tokens.json": #"{"Foo": 24}"#,
          "special_tokens_map.json": #"{"extra_special_tokens": ["Foo"]}"#,
        ],
        "foo Foo", [2, 22, 24, 3]
      ),
      (
        ["added_tokens.json": #"{"Foo": 24}"#, "tokenizer_config.json": #"{"bar_token": "Foo"}"#],
        "foo Foo", [2, 24, 24, 3]
      ),
      // A name of the configuration's own wins over that of the map.
      (
        [
          "tokenizer_config.json": #"{"extra_special_tokens": {"bar_token": "<Bar>"}}"#,
          "special_tokens_map.json": #"{"bar_token": "Foo"}"#,
        ],
        "<Bar> Foo", [2, 24, 22, 3]
      ),
    ] as [([String: String], String, [Int32])])
  func olderLists(_ files: [String: String], _ text: String, _ ids: [Int32]) throws {
    #expect(try tokenizer(rawFolder(files)).encode(text).ids == ids)
  }

  /// In the library, which looks for its text among the special ones as it stands in normalised text.
  @Test("a token of added_tokens.json stays in decoded text, named or not", arguments: [true, false])
  func namedAddedTokens(_ hasName: Bool) throws {
    var files = ["added_tokens.json": #"{"Foo": 24}"#]
    if hasName { files["tokenizer_config.json"] = #"{"bar_token": "Foo"}"# }
    #expect(try tokenizer(rawFolder(files)).decode([2, 24, 5]) == "foo \(Self.pieces[5])")
  }

  @Test("lower case before all else goes for added tokens in normalised text too, and comes once")
  func lowercasingAddedTokens() throws {
    let token = #"{"24": {"content": "Movie", "normalized": true, "special": false}}"#
    let settings = #"{"do_lower_case": false, "added_tokens_decoder": \#(token)}"#
    let tokenizer = try self.tokenizer(rawFolder(["tokenizer_config.json": settings]))
    #expect(tokenizer.encode("Movie movie").ids == [2, 24, 1, 3])
    #expect(tokenizer.lowercasing().encode("Movie MOVIE").ids == [2, 24, 24, 3])

    let json = """
      {"normalizer": {"type": "Sequence", "normalizers": [
        {"type": "Replace", "pattern": {"String": "A"}, "content": "b"}, {"type": "Lowercase"}]},
       "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}
      """
    let lowers = try Tokenizer(tokenizerJSON: Array(json.utf8), file: "tokenizer.json")
    #expect(lowers.encode("A").ids == [1] && lowers.lowercasing().encode("A").ids == [1])
  }

  @Test("a vocabulary of MPNet has its tokens around texts", arguments: ["class", "model_type"])
  func mpnet(_ named: String) throws {
    let folder = try TemporaryFolder()
    let pieces = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>", "hello", "world"]
    try folder.write("vocab.txt", pieces.joined(separator: "\n"))
    if named == "class" {
      try folder.write("tokenizer_config.json", #"{"tokenizer_class": "MPNetTokenizer"}"#)
    } else {
      try folder.write("config.json", #"{"model_type": "mpnet"}"#)
    }
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("Hello <mask>").ids == [0, 5, 4, 2])
    let pair = tokenizer.encode("hello", "world")
    #expect(pair.ids == [0, 5, 2, 2, 6, 2] && pair.tokenTypes == [0, 0, 0, 0, 0, 0])
    #expect(tokenizer.configuration.givesTokenTypes == false)
  }

  @Test("a null token around texts is named as such")
  func nullEnds() throws {
    let raw = try rawFolder(["tokenizer_config.json": #"{"cls_token": null}"#])
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: raw.path) }
    #expect(error.location == "cls_token" && "\(error)".contains("is null"), "\(error)")
  }
}
