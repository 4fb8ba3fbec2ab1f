import TensorCore

extension Tokenizer {
  /// Tokens that the words of a known language have at most, on average; letters that spell a word are more.
  private static let tokensOfAWord = 3

  /// Whether the vocabulary has the words of a text: they come back from its tokens, and are not spelled letter by letter.
  package func hasWords(of text: String) -> Bool {
    let ids = encode(text, addingSpecialTokens: false).ids
    let wordCount = text.split(whereSeparator: \.isWhitespace).count
    guard ids.count <= Self.tokensOfAWord * wordCount else { return false }
    return Self.letters(of: decode(ids)) == Self.letters(of: text)
  }

  private static func letters(of text: String) -> ExactText {
    ExactText(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
