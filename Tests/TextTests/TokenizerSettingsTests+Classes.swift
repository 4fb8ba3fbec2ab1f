import TensorCore
import TestSupport
import Testing

@testable import Text

/// What the class, the flags and the keys of `tokenizer_config.json` come to beside `tokenizer.json`.
extension TokenizerSettingsTests {
  /// A class builds its tokenizer anew, whatever rules and added tokens the file has.
  @Test(
    "a class counts before tokenizer.json",
    arguments: [
      (#"{"cls_token": "[SEP]"}"#, text, [3, 5, 11, 15, 16, 22, 23, 4, 5, 14, 6, 13, 3], "tokens around"),
      (#"{"sep_token": "foo"}"#, text, [2, 5, 11, 15, 16, 22, 23, 4, 5, 14, 6, 13, 22], "tokens around"),
      (#"{"unk_token": "foo"}"#, "cafe zebra", [2, 11, 22, 3], "model.unk_token"),
      (#"{"do_lower_case": false}"#, "Hello", [2, 8, 3], "rules for words"),
      (#"{"do_lower_case": false, "trust_remote_code": false}"#, "Hello", [2, 8, 3], "rules for words"),
      (#"{"tokenizer_class": "MPNetTokenizer"}"#, "hello <MASK>", [24, 5, 1, 1, 1, 25], "tokens around"),
      (#"{"added_tokens_decoder": {}, "mask_token": "foo"}"#, "[MASK] foo", [2, 1, 1, 1, 22, 3], nil),
      (#"{"trust_remote_code": true, "do_lower_case": false}"#, "Hello", [2, 5, 3], nil),
    ] as [(String, String, [Int32], String?)])
  func classes(_ settings: String, _ text: String, _ ids: [Int32], _ note: String?) throws {
    let tokenizer = try tokenizer(folder(settings))
    #expect(tokenizer.encode(text).ids == ids)
    #expect(tokenizer.notes.count == (note == nil ? 0 : 1))
    if let note { #expect(tokenizer.notes.first?.contains("other \(note)") == true, "\(tokenizer.notes)") }
  }

  @Test(
    "of several flags for a token those of added_tokens_decoder count, else those of tokenizer.json",
    arguments: ["BertTokenizer", "PreTrainedTokenizerFast"])
  func flags(_ name: String) throws {
    let text = "hello  [MASK] [mask]x [MASK]x"
    for (flags, ids) in [
      (#""lstrip": true, "normalized": false, "special": true"#, [2, 5, 4, 1, 1, 1, 1, 4, 1, 3]),
      (#""normalized": true, "special": true"#, [2, 5, 4, 4, 1, 4, 1, 3]),
      (#""normalized": true, "special": false"#, [2, 5, 4, 4, 1, 4, 1, 3]),
      (#""single_word": true, "normalized": false"#, [2, 5, 4, 1, 1, 1, 1, 1, 1, 1, 1, 3]),
    ] as [(String, [Int32])] {
      let token = #"{"4": {"content": "[MASK]", \#(flags)}}"#
      let settings = #"{"tokenizer_class": "\#(name)", "added_tokens_decoder": \#(token)}"#
      #expect(try tokenizer(folder(settings)).encode(text).ids == ids, "\(flags)")
    }
    let mask = #"{"__type": "AddedToken", "content": "[MASK]", "lstrip": true, "normalized": true}"#
    let plain = try folder(#"{"tokenizer_class": "\#(name)", "mask_token": \#(mask)}"#)
    try plain.write("special_tokens_map.json", #"{"mask_token": \#(mask)}"#)
    try plain.write("added_tokens.json", #"{"[MASK]": 4}"#)
    #expect(try tokenizer(plain).encode(text).ids == [2, 5, 4, 1, 1, 1, 1, 4, 1, 3])
  }

  @Test(
    "what could change the ids in a way that is not known is refused by name",
    arguments: [
      (#"{"something_new": 1}"#, "something_new"),
      (#"{"init_inputs": ["bert-base-uncased"]}"#, "init_inputs"),
      (#"{"tokenizer_class": "RobertaTokenizer"}"#, "model.type"),
      (#"{"model_specific_special_tokens": {"a_token": "foo"}}"#, "model_specific_special_tokens"),
    ])
  func isRefused(_ settings: String, _ says: String) throws {
    let folder = try folder(settings)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.kind == .unsupportedModel, "\(error)")
    #expect("\(error)".contains(says), "\(error)")
  }

  @Test(
    "a key that nothing knows and that says nothing is named in a note",
    arguments: ["false", "\"\"", "[]", "{}"], ["tokenizer_config.json", "special_tokens_map.json"])
  func emptyKeys(_ value: String, _ file: String) throws {
    let folder = try folder(#"{"something_new": \#(value), "also_null": null}"#, file)
    let tokenizer = try tokenizer(folder)
    #expect(tokenizer.encode(Self.text).ids == Self.plain)
    #expect(
      tokenizer.notes == [
        "\(folder.path)/\(file): passed over 'something_new', which Apus does not know and which says nothing"
      ])
  }

  /// Each was seen to change nothing in transformers 5.24.
  @Test(
    "keywords of from_pretrained and settings of other classes have no effect",
    arguments: [
      #""num_labels": 2"#, #""id2label": {"0": "a"}"#, #""problem_type": "regression""#,
      #""torch_dtype": "auto""#,
      #""return_tensors": "pt""#, #""finetuning_task": "sst2""#, #""device_map": "auto""#,
      #""init_inputs": []"#,
      #""use_auth_token": false"#, #""use_auth_token": true"#, #""max_len": 512"#,
      #""add_prefix_space": true"#,
      #""keep_accents": true"#, #""split_by_punct": true"#, #""trust_remote_code": false"#,
      #""add_bos_token": true"#,
      #""foo_token": {"content": "hello"}"#, #""foo_token": 3"#,
    ])
  func withoutEffect(_ key: String) throws {
    let beside = try tokenizer(folder("{\(key)}"))
    #expect(beside.encode(Self.text).ids == Self.plain && beside.notes.isEmpty)
    let raw = try tokenizer(rawFolder(["tokenizer_config.json": "{\(key)}"]))
    #expect(raw.encode(Self.text).ids == Self.plain && raw.notes.isEmpty)
  }

  @Test("max_len is the older name of model_max_length")
  func olderLength() throws {
    let cases: [(String, Int?)] = [
      (#"{"max_len": 5}"#, 5), (#"{"max_len": 5, "model_max_length": 7}"#, 7),
      (#"{"max_len": 5, "model_max_length": null}"#, nil),
    ]
    for (settings, length) in cases {
      #expect(try tokenizer(folder(settings)).configuration.maximumLength == length, "\(settings)")
    }
  }

  @Test("a wrong id is the fault of the file that states it")
  func filesAtFault() throws {
    for (name, text) in [
      ("added_tokens.json", #"{"ell": 30}"#),
      ("tokenizer_config.json", #"{"added_tokens_decoder": {"30": {"content": "ell"}}}"#),
    ] {
      let folder = try folder(text, name)
      let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
      #expect(error.file == "\(folder.path)/\(name)", "\(error)")
    }
  }

  /// Rules of a file that the class does not have are named in a note and count for nothing: the ids are those of the file as
  /// transformers writes it.
  @Test(
    "the rules of the class count for every file",
    arguments: [
      ("clip", "CLIPTokenizer", #""behavior":"Removed""#, #""behavior":"Isolated""#),
      ("clip", "CLIPTokenizer", #""invert":true"#, #""invert":false"#),
      ("clip", "CLIPTokenizer", #"{"type":"Lowercase"}"#, #"{"type":"NFD"}"#),
      (
        "clip", "CLIPTokenizer", #""add_prefix_space":false,"trim_offsets":true"#,
        #""add_prefix_space":true,"trim_offsets":true"#
      ),
      ("gemma", "GemmaTokenizer", #""byte_fallback":true"#, #""byte_fallback":false"#),
      ("gemma", "GemmaTokenizer", #""fuse_unk":true"#, #""fuse_unk":false"#),
      (
        "gemma", "GemmaTokenizer", #"{"type":"Replace","pattern":{"String":" "}"#,
        #"{"type":"Replace","pattern":{"String":"x"}"#
      ),
    ])
  func rules(_ file: String, _ name: String, _ rule: String, _ other: String) throws {
    let json = String(decoding: try TokenizerFixture.tokenizerJSON(file), as: UTF8.self)
    var other = other
    let first = try #require(json.firstRange(of: rule), "\(rule)")
    other = json[..<first.lowerBound] + other + json[first.upperBound...]
    let folder = try TemporaryFolder()
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "\#(name)"}"#)
    try folder.write("tokenizer.json", json)
    let plain = try Tokenizer(contentsOf: folder.path)
    try folder.write("tokenizer.json", other)
    let changed = try Tokenizer(contentsOf: folder.path)
    for text in try TokenizerFixture.texts() { #expect(changed.encode(text).ids == plain.encode(text).ids) }
    #expect(plain.notes.isEmpty && changed.notes.count == 1, "\(plain.notes) \(changed.notes)")
  }
}
