import TensorCore

extension JSONReader {
  /// Reads a text in quotes.
  public mutating func string() throws(ApusError) -> String {
    var text: [UInt8] = []
    try string(into: &text)
    guard let text = String(validating: text, as: UTF8.self) else { throw error("text that is not UTF-8") }
    return text
  }

  /// Reads a text in quotes and appends its bytes, which may break the rules of UTF-8.
  package mutating func string(into text: inout [UInt8]) throws(ApusError) {
    guard takeNext(UInt8(ascii: "\"")) else { throw unexpected("a text in quotes") }
    while true {
      appendPlainText(to: &text)
      guard let byte = peek else { throw error("text without an end", expected: "a closing quote") }
      guard byte >= 0x20 else { throw error("the control character \(byte) inside text") }
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      text += String(try escape()).utf8
    }
  }

  /// Takes in what stands for itself.
  private mutating func appendPlainText(to text: inout [UInt8]) {
    let count = ByteScan.plainCount(bytes.span, from: position - bytes.startIndex)
    text += bytes[position..<(position + count)]
    position += count
  }

  /// Takes a text in quotes in which every byte stands for itself.
  /// - Returns: the place of its bytes in the span of ``bytes``; nil, and nothing is taken, where another text stands here.
  mutating func plainText() -> Range<Int>? {
    guard next == UInt8(ascii: "\"") else { return nil }
    let start = position - bytes.startIndex + 1
    let end = start + ByteScan.plainCount(bytes.span, from: start)
    guard end < bytes.count, bytes[bytes.startIndex + end] == UInt8(ascii: "\"") else { return nil }
    position = bytes.startIndex + end + 1
    return start..<end
  }

  private mutating func escape() throws(ApusError) -> Character {
    guard let byte = peek else { throw unexpected("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return Character(try escapedScalar())
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    default: throw error("an unknown escape")
    }
  }

  /// The scalar of `\uXXXX`, or of two such that make a surrogate pair.
  private mutating func escapedScalar() throws(ApusError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw error("half of a surrogate pair") }
    let second = try hexadecimal()
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(ApusError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
