/// What `CLIPTokenizer` of `transformers` does last: the ends of words are spaces, and none stands around the text.
struct SpacedWordEnds: TokenDecoder {
  let suffix: [UInt8]

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    [PythonText.stripped(Array(pieces.joined()).replacing(suffix, with: [0x20]))]
  }
}

/// What `transformers` does last where `clean_up_tokenization_spaces` is true: it takes back spaces before punctuation
/// and within English words that were cut.
struct CleanedText: TokenDecoder {
  /// In this order, so that what one makes another can change.
  private static let replacements: [(text: [UInt8], by: [UInt8])] = [
    (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
    (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    [Self.replacements.reduce(Array(pieces.joined())) { $0.replacing($1.text, with: $1.by) }]
  }
}
