/// Looks at eight bytes at a time, which large tables of short texts are read with.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highest: UInt64 = 0x8080_8080_8080_8080

  /// The bytes from `start` on that stand for themselves inside a text in quotes.
  static func plainCount(_ text: Span<UInt8>, from start: Int) -> Int {
    let raw = unsafe text.bytes
    var index = start
    while index <= text.count - 8 {
      let word = UInt64(
        littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      // Of the marks that a borrow may set by mistake, none is below the first right one.
      let quotes = equal(UInt8(ascii: "\""), word) | equal(UInt8(ascii: "\\"), word)
      let marks = (below(0x20, word) | quotes) & highest
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 - start }
      index += 8
    }
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      index += 1
    }
    return index - start
  }

  /// The bytes of space from `start` on.
  static func spaceCount(_ text: Span<UInt8>, from start: Int) -> Int {
    let raw = unsafe text.bytes
    var index = start
    while index < text.count {
      let byte = text[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      index += 1
      // Lines are indented by spaces.
      while index <= text.count - 8,
        unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) == 0x20 &* ones
      {
        index += 8
      }
    }
    return index - start
  }

  @inline(__always)
  private static func below(_ limit: UInt8, _ word: UInt64) -> UInt64 {
    (word &- UInt64(limit) &* ones) & ~word
  }

  @inline(__always)
  private static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 {
    let other = word ^ UInt64(byte) &* ones
    return (other &- ones) & ~other
  }
}
