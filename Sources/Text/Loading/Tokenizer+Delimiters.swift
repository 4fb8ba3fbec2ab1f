import TensorCore

extension Tokenizer {
  /// The `RegexTokenizer` of TensorFlow Lite's text models: words are what stands between delimiters, `<START>` comes
  /// first where the vocabulary has it, words that it lacks are `<UNKNOWN>`, and `<PAD>` fills up.
  /// - Parameters:
  ///   - delimiters: what matches between words, an expression of RE2.
  ///   - vocabulary: lines of a word, a space and its id.
  /// - Throws: ``ApusError`` of kind `configuration` when the vocabulary is malformed or lacks a piece that every text
  ///   needs; of kind `unsupportedModel` for an expression that Apus does not know.
  package init(delimiters: String, vocabulary: [UInt8]) throws(ApusError) {
    let words = try Self.numberedWords(vocabulary)
    guard let unknown = words.id(of: "<UNKNOWN>"), let padding = words.id(of: "<PAD>") else {
      throw ApusError(.configuration, "the vocabulary lacks <UNKNOWN> or <PAD>", expected: "both")
    }
    var template = SpecialTokenTemplate()
    if let start = words.id(of: "<START>") {
      template.single.insert(.special([start], tokenType: 0), at: 0)
    }
    var configuration = TokenizerConfiguration()
    configuration.paddingID = padding
    let pattern = try TextPattern(ExpressionParser.parse(delimiters, .re2))
    self.init(
      TokenizerParts(
        normalizer: nil,
        preTokenizers: [PatternSplitter(pattern: pattern, behavior: .removed, isInverted: false)],
        model: WholeWords(vocabulary: words, unknown: unknown), template: template, decoder: SpacedPieces(),
        addedTokens: [], offsetTrimming: nil),
      configuration)
  }

  private static func numberedWords(_ bytes: [UInt8]) throws(ApusError) -> Vocabulary {
    var words = Vocabulary()
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let parts = line.split(separator: UInt8(ascii: " "))
      guard parts.count == 2, let id = Int(String(decoding: parts[1].filter { $0 != 0x0D }, as: UTF8.self))
      else {
        throw ApusError(
          .configuration, "'\(String(decoding: line, as: UTF8.self).clipped)'", expected: "a word and its id",
          at: "line \(index + 1) of the vocabulary")
      }
      let word = parts[0]
      try words.insertOrReplace(word.span, id: id)
    }
    return words
  }
}
