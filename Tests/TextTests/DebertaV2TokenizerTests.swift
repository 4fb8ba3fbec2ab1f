import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// DeBERTa's tokenizer gives the ids of `DebertaV2Tokenizer` in transformers, from its pieces and from `tokenizer.json`.
@Suite struct DebertaV2TokenizerTests {
  @Test func pieces() throws {
    let (texts, cases) = try SentencePieceFixtures.deBERTaExpectation()
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

  /// The class takes no more than its pieces from a file: those of version 4 have a character map, which it has not.
  @Test(arguments: [
    ("{}", false, false), (#"{"do_lower_case": true}"#, true, false),
    (#"{"split_by_punct": true}"#, false, true),
  ])
  func file(_ settings: String, _ lowercases: Bool, _ cutsPunctuation: Bool) throws {
    let (texts, cases) = try SentencePieceFixtures.deBERTaExpectation()
    let expected = try #require(cases.first { $0.settings == settings })
    for steps in [Self.newSteps, Self.olderSteps, [Self.olderSteps[0], Self.olderSteps[2]]] {
      let json = try tokenizerFile(
        steps, lowercases: lowercases, cutsPunctuation: cutsPunctuation)
      let folder = try folder(settings: settings, json)
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      for (index, text) in texts.enumerated() {
        #expect(tokenizer.encode(text).ids == expected.ids[index], "\(settings): \(text.debugDescription)")
      }
    }
  }

  /// The settings count before the rules of the file.
  @Test(arguments: [
    #"{"do_lower_case": true}"#, #"{"split_by_punct": true}"#, #"{"add_prefix_space": false}"#,
  ])
  func settingsCountBeforeTheFile(_ settings: String) throws {
    let (texts, cases) = try SentencePieceFixtures.deBERTaExpectation()
    let expected = try #require(cases.first { $0.settings == settings })
    let folder = try folder(settings: settings, tokenizerFile(Self.olderSteps))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    for (index, text) in texts.enumerated() {
      #expect(tokenizer.encode(text).ids == expected.ids[index], "\(settings): \(text.debugDescription)")
    }
    // Marks differ behind added tokens alone.
    #expect(tokenizer.notes.isEmpty == settings.contains("add_prefix_space"), "\(tokenizer.notes)")
  }

  @Test func stepsOfNoVersionAreNamed() throws {
    let plain = try folder(settings: "{}", tokenizerFile(Self.newSteps))
    let usual = try Tokenizer(contentsOf: plain.path)
    for steps in [[], [["type": "NFD"]]] as [[[String: Any]]] {
      let folder = try folder(settings: "{}", tokenizerFile(steps))
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      #expect(tokenizer.encode("two  cats\nÉ").ids == usual.encode("two  cats\nÉ").ids)
      #expect(tokenizer.notes.first?.contains("Name PreTrainedTokenizerFast") == true, "\(tokenizer.notes)")
    }
    // Which then holds.
    let settings =
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "split_by_punct": true, "vocab_type": "spm"}"#
    let folder = try folder(settings: settings, tokenizerFile([["type": "NFKC"]]))
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.encode("Ａ").ids == tokenizer.encode("A").ids)
  }

  @Test(arguments: [
    (#"{"cls_token": "[NONE]"}"#, "[NONE]"), (#"{"sep_token": null}"#, "is null"),
    (#"{"sp_model_kwargs": {"alpha": 0.1}}"#, "sp_model_kwargs"),
  ])
  func whatThePiecesCannotDoIsRefused(_ settings: String, _ says: String) throws {
    let folder = try folder(settings: settings)
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect("\(error)".contains(says), "\(error)")
  }

  /// A folder whose files name no class has that of transformers, which tells a model the types of a pair's tokens.
  @Test func classesOfModelsWithoutSettings() throws {
    let folder = try folder(settings: nil)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    let pair = tokenizer.encode("a", "b")
    #expect(pair.ids.first == 1 && pair.ids.filter { $0 == 2 }.count == 2)
    #expect(pair.tokenTypes.first == 0 && pair.tokenTypes.last == 1)
    #expect(tokenizer.configuration.givesTokenTypes == true && tokenizer.configuration.paddingID == 0)
    // The mask follows the last piece.
    #expect(tokenizer.encode("[MASK]").ids == [1, Int32(tokenizer.vocabularySize - 1), 2])
  }

  private static var newSteps: [[String: Any]] {
    [
      ["type": "Replace", "pattern": ["Regex": #"\s{2,}|[\n\r\t]"#], "content": " "], ["type": "NFC"],
      ["type": "Strip", "strip_left": false, "strip_right": true],
    ]
  }
  private static var olderSteps: [[String: Any]] {
    [
      ["type": "Strip", "strip_left": true, "strip_right": true], ["type": "Precompiled"],
      ["type": "Replace", "pattern": ["Regex": " {2,}"], "content": " "],
    ]
  }

  /// A folder of the model `deberta`, with its pieces or the text of a `tokenizer.json`.
  private func folder(settings: String?, _ json: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("config.json", #"{"model_type": "deberta-v2"}"#)
    if let settings { try folder.write("tokenizer_config.json", settings) }
    if let json {
      try folder.write("tokenizer.json", json)
    } else {
      try folder.write("spm.model", try SentencePieceFixtures.bytes(of: "deberta"))
    }
    return folder
  }

  /// The model as transformers writes it.
  private func tokenizerFile(
    _ steps: [[String: Any]], lowercases: Bool = false, cutsPunctuation: Bool = false
  ) throws -> String {
    let model = try SentencePieceFixtures.model("deberta")
    let pieces: [[Any]] = model.scores.indices.map { id in
      [model.pieces.text(of: Int32(id)) ?? "", Double(model.scores[id])]
    }
    let names = ["[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3, "[MASK]": pieces.count]
    let added: [[String: Any]] = names.sorted { $0.value < $1.value }.map { name, id in
      [
        "id": id, "content": name, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false,
        "special": true,
      ]
    }
    var normalizers: [[String: Any]] = lowercases ? [["type": "Lowercase"]] : []
    for var step in steps {
      if step["type"] as? String == "Precompiled" {
        step["precompiled_charsmap"] = Data(model.normalizer.characterMap).base64EncodedString()
      }
      normalizers.append(step)
    }
    let metaspace: [String: Any] = [
      "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
    ]
    let punctuation: [String: Any] = ["type": "Punctuation", "behavior": "Isolated"]
    let words = cutsPunctuation ? [punctuation, metaspace] : [metaspace]
    let around = { (token: String, type: Int) -> [String: Any] in
      ["SpecialToken": ["id": token, "type_id": type]]
    }
    let text = { (name: String, type: Int) -> [String: Any] in ["Sequence": ["id": name, "type_id": type]] }
    let single = [around("[CLS]", 0), text("A", 0), around("[SEP]", 0)]
    let special = ["[CLS]": 1, "[SEP]": 2].map { token, id in
      (token, ["id": token, "ids": [id], "tokens": [token]] as [String: Any])
    }
    let root: [String: Any] = [
      "version": "1.0", "truncation": NSNull(), "padding": NSNull(), "added_tokens": added,
      "normalizer": ["type": "Sequence", "normalizers": normalizers] as [String: Any],
      "pre_tokenizer": ["type": "Sequence", "pretokenizers": words] as [String: Any],
      "post_processor": [
        "type": "TemplateProcessing", "single": single,
        "pair": single + [text("B", 1), around("[SEP]", 1)],
        "special_tokens": Dictionary(uniqueKeysWithValues: special),
      ] as [String: Any],
      "decoder": metaspace,
      "model": ["type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": false] as [String: Any],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
  }
}
