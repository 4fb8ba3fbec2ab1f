extension JSONReader {
  /// Reads a text.
  package mutating func string() throws(InferenceProtocolError) -> String {
    var text: [UInt8] = []
    try string(into: &text)
    guard let text = String(validating: text, as: UTF8.self) else { throw error("text that is not UTF-8") }
    return text
  }

  /// Reads a text and appends its bytes, which may break the rules of UTF-8.
  mutating func string(into text: inout [UInt8]) throws(InferenceProtocolError) {
    guard next == UInt8(ascii: "\"") else { throw unexpected("a text in quotes") }
    advance()
    while true {
      let start = position
      while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
        advance()
      }
      text += bytes(from: start)
      guard let byte = peek else { throw error("text without an end", expected: "a closing quote") }
      guard byte >= 0x20 else { throw error("the control character \(byte) inside text") }
      advance()
      if byte == UInt8(ascii: "\"") { return }
      text += String(try escape()).utf8
    }
  }

  private mutating func escape() throws(InferenceProtocolError) -> Character {
    guard let byte = peek else { throw unexpected("an escape") }
    advance()
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): return Character(try scalar())
    default: throw error("an escape that there is not")
    }
  }

  /// What follows `\u`: four digits, or two surrogates.
  private mutating func scalar() throws(InferenceProtocolError) -> Unicode.Scalar {
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), peek == UInt8(ascii: "\\") else {
      throw error("half of a surrogate pair")
    }
    advance()
    guard peek == UInt8(ascii: "u") else { throw error("half of a surrogate pair") }
    advance()
    let trail = try hexadecimal()
    guard UTF16.isTrailSurrogate(trail) else { throw error("half of a surrogate pair") }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func hexadecimal() throws(InferenceProtocolError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw unexpected("four hexadecimal digits")
      }
      advance()
      value = value << 4 | UInt16(truncatingIfNeeded: digit)
    }
    return value
  }
}
