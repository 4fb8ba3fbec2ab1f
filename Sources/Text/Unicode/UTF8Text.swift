/// Reading and writing characters of text that is known to be UTF-8.
///
/// Whatever enters the tokenizer is made valid first, so a malformed byte here stands for itself and nothing
/// is read beyond the end.
extension Span<UInt8> {
  /// The character at `position`, and how many bytes it has.
  @inline(__always)
  func scalar(at position: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(self[position])
    if first < 0x80 { return (first, 1) }
    return multibyteScalar(first, at: position)
  }

  private func multibyteScalar(_ first: UInt32, at position: Int) -> (value: UInt32, length: Int) {
    func next(_ offset: Int) -> UInt32 { UInt32(self[position + offset] & 0x3F) }
    let left = count - position
    if first >= 0xF0, left > 3 { return ((first & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4) }
    if first >= 0xE0, first < 0xF0, left > 2 { return ((first & 15) << 12 | next(1) << 6 | next(2), 3) }
    if first >= 0xC0, first < 0xE0, left > 1 { return ((first & 31) << 6 | next(1), 2) }
    return (first, 1)
  }

  /// Calls `body` with each character.
  @inline(__always)
  func forEachScalar(_ body: (UInt32) -> Void) {
    var position = 0
    while position < count {
      let (character, length) = scalar(at: position)
      position += length
      body(character)
    }
  }

  /// The character that ends before `position`, which is not 0, and how many bytes it has.
  func scalar(before position: Int) -> (value: UInt32, length: Int) {
    var start = position - 1
    while start > 0, position - start < 4, self[start] & 0xC0 == 0x80 { start -= 1 }
    return (scalar(at: start).value, position - start)
  }

  /// Whether `text` stands at `position`.
  @inline(__always)
  func hasPrefix(_ text: [UInt8], at position: Int) -> Bool {
    guard count - position >= text.count else { return false }
    for index in text.indices where self[position + index] != text[index] { return false }
    return true
  }
}

extension [UInt8] {
  /// Appends a character as UTF-8.
  @inline(__always)
  mutating func append(scalar value: UInt32) {
    if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
    appendMultibyte(value)
  }

  private mutating func appendMultibyte(_ value: UInt32) {
    func trailing(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | value >> shift & 0x3F) }
    if value < 0x800 {
      append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
    } else {
      if value < 0x10000 {
        append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
      } else {
        append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
        append(trailing(12))
      }
      append(trailing(6))
    }
    append(trailing(0))
  }

  /// Whether every byte is below 128.
  var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}
