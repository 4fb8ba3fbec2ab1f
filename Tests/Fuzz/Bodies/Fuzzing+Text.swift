import JSONCoding
import Text

extension Fuzzing {
  /// Reads bytes as a tokenizer file; what is none, as an expression in one and as text.
  package static func tokenizer(_ bytes: [UInt8]) {
    if let tokenizer = try? Tokenizer(tokenizerJSON: bytes, file: "tokenizer.json") {
      let text = "A text, with 12 words: déjà vu 東京 <mask>\n it's"
      let encoding = tokenizer.encode(text, findingOffsets: true)
      _ = tokenizer.decode(encoding.ids + [-1, .max])
      _ = tokenizer.encode(utf8: bytes.prefix(256), truncation: Truncation(maximumLength: 8, side: .left))
      return
    }
    if let tokenizer = splitting(by: String(decoding: bytes.prefix(64), as: UTF8.self)) {
      _ = tokenizer.encode(utf8: bytes.suffix(256))
    }
    for tokenizer in smallTokenizers {
      _ = tokenizer.decode(tokenizer.encode(utf8: bytes.prefix(512)).ids)
      _ = tokenizer.encode(String(decoding: bytes.prefix(256), as: UTF8.self), findingOffsets: true)
    }
  }

  /// Reads bytes as a sentencepiece model, and cuts its last bytes and joins them again with it; and as a
  /// character map.
  package static func sentencePiece(_ bytes: [UInt8]) {
    let text = Array(bytes.suffix(256))
    if let model = try? SentencePieceModel(bytes), let tokenizer = try? SentencePieceTokenizer(model) {
      _ = try? tokenizer.decode(tokenizer.encode(text))
    }
    if let map = try? PrecompiledCharacterMap(bytes) {
      _ = PrecompiledNormalizer(map).normalize(Array(String(decoding: text, as: UTF8.self).utf8))
    }
  }

  private static func read(_ json: String) -> Tokenizer? {
    try? Tokenizer(tokenizerJSON: Array(json.utf8), file: "tokenizer.json")
  }

  /// A tokenizer that cuts text by an expression.
  package static func splitting(by expression: String) -> Tokenizer? {
    read(
      #"""
      {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": \#(JSONText.quoted(expression))},
      "behavior": "Isolated", "invert": false}, "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
      """#)
  }

  /// A tokenizer of each kind.
  package static let smallTokenizers: [Tokenizer] = [
    #"""
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
    "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": {"type": "WordPiece",
    "prefix": "@@", "cleanup": true}, "model": {"type": "WordPiece", "unk_token": "u", "max_input_chars_per_word": 9,
    "continuing_subword_prefix": "@@", "vocab": {"u": 0, "a": 1, "@@a": 2, "b": 3, "@@bb": 4, "é": 5}}
    """#,
    #"""
    "added_tokens": [{"id": 3, "content": " a", "rstrip": true, "normalized": true},
    {"id": 4, "content": "\n", "lstrip": true, "rstrip": true, "normalized": false, "special": true}],
    "normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits",
    "individual_digits": true}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}]},
    "decoder": {"type": "Strip", "content": "▁", "start": 2, "stop": 2}, "model": {"type": "BPE", "unk_token": "u",
    "byte_fallback": true, "vocab": {"u": 0, "a": 1, "aa": 2}, "merges": ["a a"]}
    """#,
    #"""
    "normalizer": {"type": "Replace", "pattern": {"Regex": "a+?b|\\s{2,}(?!\\d)"}, "content": ""},
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": true}, "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"a": 0, "Ġ": 1, "Ġa": 2, "aa": 3}, "merges": ["Ġ a", "a a"]}
    """#,
  ].compactMap { read("{\($0)}") }
}
