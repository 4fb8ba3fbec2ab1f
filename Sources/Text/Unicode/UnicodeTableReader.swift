/// Reads the tables of characters: words apart by spaces, each of code points in hexadecimal, marks between
/// them, and text.
struct UnicodeTableReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ table: StaticString) {
    bytes = table.withUTF8Buffer { unsafe Array($0) }
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The code point here, in hexadecimal.
  mutating func codePoint() -> UInt32 {
    var value: UInt32 = 0
    while position < bytes.count, let digit = Self.digit(bytes[position]) {
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  /// `start` or `start-end`.
  mutating func range() -> ClosedRange<UInt32> {
    let start = codePoint()
    let end = take("-") ? codePoint() : start
    return start...max(start, end)
  }

  /// Code points apart by commas.
  mutating func sequence() -> [UInt32] {
    var sequence = [codePoint()]
    while take(",") { sequence.append(codePoint()) }
    return sequence
  }

  /// The text up to the next space, and the space.
  mutating func word() -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: " ") { position += 1 }
    defer { skipSpace() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == mark.value else { return false }
    position += 1
    return true
  }

  mutating func skipSpace() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
