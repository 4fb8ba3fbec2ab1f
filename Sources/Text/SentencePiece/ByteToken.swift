/// The pieces `<0x00>` … `<0xFF>` that spell the bytes of what no other piece covers.
package enum ByteToken {
  /// The piece of a byte.
  package static func text(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "<0x" + (byte < 16 ? "0" : "") + digits + ">"
  }

  /// The byte that a piece spells; nil when it is another piece.
  package static func byte(of piece: ArraySlice<UInt8>) -> UInt8? {
    guard piece.count == 6, piece.starts(with: "<0x".utf8), piece.last == UInt8(ascii: ">") else {
      return nil
    }
    var value: UInt8 = 0
    for digit in piece.dropFirst(3).prefix(2) {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | (digit - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | (digit - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value
  }
}
