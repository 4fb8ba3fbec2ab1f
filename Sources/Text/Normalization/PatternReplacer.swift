/// Replaces every match of a pattern by the same text.
struct PatternReplacer: TextNormalizer, TokenDecoder {
  let pattern: TextPattern
  let replacement: [UInt8]

  func normalize(_ text: inout NormalizedText) {
    let (result, dropsStart) = replaced(text.bytes)
    text.bytes = result
    if dropsStart { text.startsAtOrigin = false }
  }

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] { pieces.map { replaced($0).text } }

  private func replaced(_ text: [UInt8]) -> (text: [UInt8], dropsStart: Bool) {
    var result: [UInt8] = []
    var position = 0
    var dropsStart = false
    // Captured by itself: a copy of all of the replacer at each match would take longer than the match.
    let replacement = replacement
    pattern.forEachMatch(in: text.span, 0..<text.count) { match in
      if result.isEmpty, position == 0 { result.reserveCapacity(text.count) }
      result += text[position..<match.lowerBound]
      result += replacement
      if match.lowerBound == 0, replacement.isEmpty { dropsStart = true }
      position = match.upperBound
    }
    guard position > 0 else { return (text, false) }
    result += text[position...]
    return (result, dropsStart)
  }
}
