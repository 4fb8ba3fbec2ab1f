import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// ALBERT's tokenizer gives the ids of `AlbertTokenizer` in transformers, from its pieces and from `tokenizer.json`.
@Suite struct AlbertTokenizerTests {
  @Test func pieces() throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    for this in cases {
      let folder = try folder(settings: this.settings)
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      for (index, text) in texts.enumerated() {
        let ids = this.ids[index]
        #expect(tokenizer.encode(text).ids == ids, "\(this.settings): \(text.debugDescription)")
        let decoded = tokenizer.decode(ids, skippingSpecialTokens: false)
        #expect(decoded == this.decoded[index], "\(this.settings): \(ids)")
        #expect(tokenizer.decode(ids) == this.decoded_without_special[index], "\(this.settings): \(ids)")
      }
    }
  }

  /// The class takes its pieces and its character map from the file, and has rules of its own.
  @Test(arguments: [
    ("{}", "NFKD StripAccents Lowercase"), (#"{"do_lower_case": false}"#, "NFKD StripAccents"),
    (#"{"keep_accents": true}"#, "Lowercase"), (#"{"do_lower_case": false, "keep_accents": true}"#, ""),
  ])
  func file(_ settings: String, _ steps: String) throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    let expected = try #require(cases.first { $0.settings == settings })
    for hasSpaces in [true, false] {
      let json = try tokenizerFile(steps.split(separator: " ").map(String.init), replacesSpaces: hasSpaces)
      let folder = try folder(settings: settings, json)
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      #expect(texts.map { tokenizer.encode($0).ids } == expected.ids)
    }
  }

  /// Control and user-defined pieces are looked for before a text is cut, unless the files state further tokens. The ids are
  /// those of transformers 5.24.
  @Test(
    arguments: [
      (#"{}"#, [2, 249, 225, 5, 253, 4, 3]),
      (#"{"extra_special_tokens": []}"#, [2, 249, 225, 8, 5, 272, 4, 3]),
      (#"{"extra_special_tokens": null}"#, [2, 249, 225, 8, 5, 272, 4, 3]),
      (#"{"extra_special_tokens": {}}"#, [2, 249, 225, 5, 253, 4, 3]),
      (#"{"extra_special_tokens": ["cat"]}"#, [2, 249, 268, 8, 5, 272, 4, 3]),
      (#"{"extra_special_tokens": {"x_token": "cat"}}"#, [2, 249, 268, 5, 253, 4, 3]),
      (#"{"additional_special_tokens": ["cat"]}"#, [2, 249, 268, 8, 5, 272, 4, 3]),
      (#"{"additional_special_tokens": []}"#, [2, 249, 225, 8, 5, 272, 4, 3]),
      (#"{"additional_special_tokens": null}"#, [2, 249, 225, 8, 5, 272, 4, 3]),
      (
        #"{"extra_special_tokens": {}, "additional_special_tokens": ["cat"]}"#,
        [2, 249, 268, 8, 5, 272, 4, 3]
      ),
      (
        #"{"extra_special_tokens": {"x_token": "cat"}, "additional_special_tokens": ["two"]}"#,
        [2, 249, 268, 5, 253, 4, 3]
      ),
      (#"{"unk_token": "a"}"#, [2, 249, 8, 57, 130, 8, 116, 5, 253, 4, 3]),
      (#"{"sep_token": "a"}"#, [2, 249, 8, 57, 130, 8, 116, 5, 253, 4, 130]),
      (#"{"split_special_tokens": true}"#, [2, 249, 225, 5, 253, 8, 106, 579, 130, 126, 481, 482, 3]),
    ] as [(String, [Int])])
  func furtherTokens(_ settings: String, _ expected: [Int]) throws {
    let folder = try folder(settings: settings)
    let ids = try Tokenizer(contentsOf: folder.path).encode("the cat (left [MASK]").ids
    #expect(ids.map { Int($0) } == expected)
  }

  /// transformers writes the id of the unknown token beside the tokens of the pieces.
  @Test func savedSettings() throws {
    let (texts, cases) = try SentencePieceFixtures.albertExpectation()
    let settings = """
      {"tokenizer_class": "AlbertTokenizer", "add_prefix_space": true, "backend": "tokenizers", "unk_id": 1,
       "do_lower_case": true, "keep_accents": false, "trim_offsets": true, "bos_token": "[CLS]",
       "eos_token": "[SEP]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
       "pad_token": "<pad>", "unk_token": "<unk>", "model_max_length": 1000000000000000019884624838656,
       "extra_special_tokens": ["<pad>", "[CLS]", "[SEP]", "[MASK]", "(", ")", "–"]}
      """
    let json = try tokenizerFile(["NFKD", "StripAccents", "Lowercase"])
    let folder = try folder(settings: settings, json)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(texts.map { tokenizer.encode($0).ids } == cases[0].ids)
  }

  @Test(arguments: [
    (#"{"cls_token": "[NONE]"}"#, "[NONE]"), (#"{"sep_token": null}"#, "is null"),
    (#"{"add_bos_token": true}"#, "add_bos_token"),
    (#"{"sp_model_kwargs": {"alpha": 0.1}}"#, "sp_model_kwargs"),
  ])
  func whatThePiecesCannotDoIsRefused(_ settings: String, _ says: String) throws {
    let folder = try folder(settings: settings)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect("\(error)".contains(says), "\(error)")
  }

  /// A model of BERT's family whose files name no class has that of transformers. Version 4 told an ALBERT the types of a
  /// pair's tokens, 5 does not.
  @Test func classesOfModelsWithoutSettings() throws {
    let albert = try folder(settings: nil)
    let tokenizer = try Tokenizer(contentsOf: albert.path)
    let pair = tokenizer.encode("a", "b")
    let (start, end) = (try #require(tokenizer.id(of: "[CLS]")), try #require(tokenizer.id(of: "[SEP]")))
    #expect(pair.ids.first == start && pair.ids.last == end)
    #expect(pair.ids.filter { $0 == end }.count == 2)
    #expect(pair.tokenTypes.first == 0 && pair.tokenTypes.last == 1)
    #expect(tokenizer.configuration.givesTokenTypes == nil)
    try albert.write("tokenizer_config.json", #"{"model_input_names": ["input_ids", "token_type_ids"]}"#)
    #expect(try Tokenizer(contentsOf: albert.path).configuration.givesTokenTypes == true)

    let electra = try TemporaryFolder()
    try electra.write("config.json", #"{"model_type": "electra"}"#)
    try electra.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\n")
    let words = try Tokenizer(contentsOf: electra.path)
    #expect(words.encode("Hello").ids == [2, 5, 3] && words.configuration.givesTokenTypes == true)
  }

  /// A folder of the model `albert`, with its pieces or the text of a `tokenizer.json`.
  func folder(settings: String?, _ json: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("config.json", #"{"model_type": "albert"}"#)
    if let settings { try folder.write("tokenizer_config.json", settings) }
    if let json {
      try folder.write("tokenizer.json", json)
    } else {
      try folder.write("spiece.model", try SentencePieceFixtures.bytes(of: "albert"))
    }
    return folder
  }

  /// The model as transformers writes it.
  /// - Parameter replacesSpaces: whether runs of spaces are replaced, as in files of older versions.
  func tokenizerFile(_ steps: [String], replacesSpaces: Bool = false) throws -> String {
    let model = try SentencePieceFixtures.model("albert")
    let pieces: [[Any]] = model.scores.indices.map { id in
      [model.pieces.text(of: Int32(id)) ?? "", Double(model.scores[id])]
    }
    let added: [[String: Any]] = model.types.indices.filter { model.types[$0] != .normal }.map { id in
      [
        "id": id, "content": model.pieces.text(of: Int32(id)) ?? "", "single_word": false, "lstrip": false,
        "rstrip": false, "normalized": false, "special": model.types[id] != .userDefined,
      ]
    }
    var normalizers: [[String: Any]] = ["``", "''"].map { quotes in
      ["type": "Replace", "pattern": ["String": quotes], "content": "\""]
    }
    for step in steps { normalizers.append(["type": step]) }
    let map = Data(model.normalizer.characterMap).base64EncodedString()
    normalizers.append(["type": "Precompiled", "precompiled_charsmap": map])
    if replacesSpaces {
      normalizers.append(["type": "Replace", "pattern": ["Regex": " {2,}"], "content": " "])
    }
    let around = { (token: String, type: Int) -> [String: Any] in
      ["SpecialToken": ["id": token, "type_id": type]]
    }
    let text = { (name: String, type: Int) -> [String: Any] in ["Sequence": ["id": name, "type_id": type]] }
    let single = [around("[CLS]", 0), text("A", 0), around("[SEP]", 0)]
    let special = ["[CLS]": 2, "[SEP]": 3].map { token, id in
      (token, ["id": token, "ids": [id], "tokens": [token]] as [String: Any])
    }
    let metaspace: [String: Any] = [
      "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
    ]
    let root: [String: Any] = [
      "version": "1.0", "truncation": NSNull(), "padding": NSNull(), "added_tokens": added,
      "normalizer": ["type": "Sequence", "normalizers": normalizers] as [String: Any],
      "pre_tokenizer": ["type": "Sequence", "pretokenizers": [["type": "WhitespaceSplit"], metaspace]]
        as [String: Any],
      "post_processor": [
        "type": "TemplateProcessing", "single": single,
        "pair": single + [text("B", 1), around("[SEP]", 1)],
        "special_tokens": Dictionary(uniqueKeysWithValues: special),
      ] as [String: Any],
      "decoder": metaspace,
      "model": ["type": "Unigram", "unk_id": 1, "vocab": pieces, "byte_fallback": false] as [String: Any],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
  }
}
