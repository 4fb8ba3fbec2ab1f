/// Reading UTF-8 character by character.
enum UTF8Bytes {
  /// The replacement character U+FFFD.
  static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
  /// The lower one eighth block U+2581, which stands for a space in pieces.
  static let spaceMark: [UInt8] = [0xe2, 0x96, 0x81]

  /// Bytes of the character that begins with `lead`, read from its high bits alone; 1 for a byte that
  /// begins none.
  @inline(__always)
  static func length(lead: UInt8) -> Int {
    lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  }

  /// Bytes of the well-formed character at the start of `text`; nil when it is malformed: truncated,
  /// overlong, a surrogate or over U+10FFFF.
  static func validLength(_ text: ArraySlice<UInt8>) -> Int? {
    text.isEmpty ? nil : validLength(text.span, at: 0)
  }

  /// The same of the character at a position that there is.
  @inline(__always)
  static func validLength(_ text: Span<UInt8>, at position: Int) -> Int? {
    let lead = text[position]
    if lead < 0x80 { return 1 }
    let length = length(lead: lead)
    guard length > 1, lead < 0xf5, text.count - position >= length else { return nil }
    var scalar = UInt32(lead) & (0x7f >> UInt32(length))
    for index in position + 1..<position + length {
      guard text[index] & 0xc0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(text[index] & 0x3f)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    guard scalar >= least, Unicode.Scalar(scalar) != nil else { return nil }
    return length
  }

  /// Whether all of `text` is well-formed.
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    let source = text.span
    var position = 0
    while position < source.count {
      guard let length = validLength(source, at: position) else { return false }
      position += length
    }
    return true
  }
}
