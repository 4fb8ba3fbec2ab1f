/// The entry for a fuzzer: any bytes at all must give a result or an error.
package enum TokenizerFuzzing {
  /// Reads bytes as a tokenizer file and as an expression, and as text.
  package static func read(_ bytes: [UInt8]) {
    if let tokenizer = try? Tokenizer(tokenizerJSON: bytes, file: "tokenizer.json") {
      let encoding = tokenizer.encode("A text, with 12 words: déjà vu 東京 <mask>\n it's")
      _ = tokenizer.decode(encoding.ids + [-1, .max])
      _ = tokenizer.encode(utf8: bytes.prefix(1024), truncation: Truncation(maximumLength: 8, side: .left))
    }
    if let pattern = try? TextPattern(expression: String(decoding: bytes.prefix(64), as: UTF8.self)) {
      let text = Array(bytes.suffix(512))
      pattern.forEachMatch(in: text.span, 0..<text.count) { _ in }
    }
    for tokenizer in small { _ = tokenizer.decode(tokenizer.encode(utf8: bytes).ids) }
  }

  static let small: [Tokenizer] = [
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
  ].compactMap { try? Tokenizer(tokenizerJSON: Array("{\($0)}".utf8), file: "tokenizer.json") }
}
