import FoundationEssentials

/// Base64 as clients send it: in either alphabet of RFC 4648, with its padding or without, with white space around it, and
/// with lines of any length.
public enum Base64Text {
  /// The bytes of a text; nil where it is not base64.
  public static func bytes(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count + 2)
    for byte in trimmed(text) {
      switch byte {
      // Python's base64.encodebytes breaks lines.
      case 0x0A, 0x0D: continue
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      default: digits.append(byte)
      }
    }
    let missing = (4 - digits.count % 4) % 4
    // No text ends with a single digit of four; one with some of its padding is cut off.
    if missing < 3, digits.last != UInt8(ascii: "=") {
      digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: missing))
    }
    guard digits.count.isMultiple(of: 4) else { return nil }
    return Data(base64Encoded: Data(digits)).map { Array($0) }
  }

  /// What is left without ASCII white space at both ends.
  public static func trimmed<Text: BidirectionalCollection<UInt8>>(_ text: Text) -> Text.SubSequence {
    let front = text.drop(while: isSpace)
    guard let last = front.lastIndex(where: { !isSpace($0) }) else { return front }
    return front[...last]
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
