/// Puts spaces between words, joins the pieces inside a word, and takes back spaces before punctuation.
struct WordPieceDecoder: TokenDecoder {
  let continuation: [UInt8]
  let cleansUp: Bool

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    pieces.enumerated().map { index, piece in
      var text = piece
      if index > 0 {
        text = piece.starts(with: continuation) ? Array(piece.dropFirst(continuation.count)) : [0x20] + piece
      }
      return cleansUp ? Self.cleaned(text) : text
    }
  }

  /// In this order, so that what one makes another can change.
  private static let replacements: [(text: [UInt8], by: [UInt8])] = [
    (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
    (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  private static func cleaned(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(0x20) else { return text }
    return replacements.reduce(text) { $0.replacing($1.text, with: $1.by) }
  }
}

extension [UInt8] {
  /// Every place of `text`, from the left and without overlap, replaced.
  func replacing(_ text: [UInt8], with replacement: [UInt8]) -> [UInt8] {
    guard let first = text.first, count >= text.count else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    let source = span
    var position = 0
    while position < count {
      if source[position] == first, source.hasPrefix(text, at: position) {
        result += replacement
        position += text.count
      } else {
        result.append(source[position])
        position += 1
      }
    }
    return result
  }
}
