import TestSupport
import Testing

@testable import Text

/// Keywords of `from_pretrained` that were saved into `tokenizer_config.json` change nothing, of whatever class and files.
/// Each of these with each keyword was seen to give the same ids in transformers 5.24.
@Suite struct TokenizerKeywordTests {
  private struct Kind {
    let name: String
    let type: String?
    let file: String
    let bytes: () throws -> [UInt8]

    init(_ name: String, type: String? = nil, _ file: String, _ bytes: @escaping () throws -> [UInt8]) {
      (self.name, self.type, self.file, self.bytes) = (name, type, file, bytes)
    }
  }

  private static var kinds: [Kind] {
    [
      Kind("PreTrainedTokenizerFast", "tokenizer.json", json("bert")),
      Kind("", type: "modernbert", "tokenizer.json", json("bert")),
      Kind("", "tokenizer.json", json("bert")),
      Kind("CLIPTokenizer", "tokenizer.json", json("clip")),
      Kind("GemmaTokenizer", "tokenizer.json", json("gemma")),
      Kind("BertTokenizer", "vocab.txt") { Array("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##n\n".utf8) },
      Kind("SiglipTokenizer", "spiece.model", pieces("unigram")),
      Kind("T5Tokenizer", "spiece.model", pieces("t5")),
      Kind("AlbertTokenizer", "spiece.model", pieces("albert")),
      Kind("XLMRobertaTokenizer", "sentencepiece.bpe.model", pieces("unigram")),
      Kind("DebertaV2Tokenizer", "spm.model", pieces("deberta")),
      Kind("", "spiece.model", pieces("bpe")),
    ]
  }

  private static func json(_ name: String) -> () throws -> [UInt8] {
    { try TokenizerFixture.tokenizerJSON(name) }
  }

  private static func pieces(_ name: String) -> () throws -> [UInt8] {
    { try SentencePieceFixtures.bytes(of: name) }
  }

  private static func tokenizer(_ kind: Kind, _ key: String?) throws -> Tokenizer {
    let folder = try TemporaryFolder()
    try folder.write(kind.file, try kind.bytes())
    if let type = kind.type { try folder.write("config.json", #"{"model_type": "\#(type)"}"#) }
    let members = [kind.name.isEmpty ? nil : #""tokenizer_class": "\#(kind.name)""#, key].compactMap(\.self)
    try folder.write("tokenizer_config.json", "{\(members.joined(separator: ", "))}")
    return try Tokenizer(contentsOf: folder.path)
  }

  @Test func keywordsOfModelsAndDownloads() throws {
    let keys = [
      #""trust_remote_code": true"#, #""trust_remote_code": false"#, #""use_auth_token": true"#,
      #""revision": "main""#, #""weights_only": true"#, #""device_map": "auto""#, #""tp_plan": "auto""#,
      #""use_flash_attention_2": true"#, #""_fast_init": true"#, #""key_mapping": {"a": "b"}"#,
      #""generation_config": {"a": 1}"#, #""tokenizer_type": "bert""#, #""adapter_name": "default""#,
    ]
    for kind in Self.kinds {
      let plain = try Self.tokenizer(kind, nil)
      for key in keys {
        let beside = try Self.tokenizer(kind, key)
        for text in try TokenizerFixture.texts().prefix(40) {
          #expect(beside.encode(text).ids == plain.encode(text).ids, "\(kind.name), \(key)")
        }
        #expect(beside.notes == plain.notes, "\(kind.name), \(key)")
      }
    }
  }
}
