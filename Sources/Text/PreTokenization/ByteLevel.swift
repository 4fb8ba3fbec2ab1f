/// The characters that stand for bytes in the vocabularies of GPT-2 and its kin (Radford et al. 2019): printable
/// Latin-1 characters stand for themselves, the other bytes in their order for those from U+0100 on.
enum ByteLevel {
  /// The character of each byte.
  static let characters: [UInt32] = {
    var next: UInt32 = 0x100
    return (0..<256).map { byte in
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: return UInt32(byte)
      default:
        next += 1
        return next - 1
      }
    }
  }()

  /// The byte of each character; those of `characters` are all below U+0180.
  private static let bytes: [UInt8?] = {
    var bytes = [UInt8?](repeating: nil, count: 0x180)
    for (byte, character) in characters.enumerated() { bytes[Int(character)] = UInt8(byte) }
    return bytes
  }()

  /// The characters of bytes, as UTF-8.
  static func characters(for bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(2 * bytes.count)
    for index in bytes.indices { result.append(scalar: characters[Int(bytes[index])]) }
    return result
  }

  /// The bytes that characters stand for; nil when one of them stands for none.
  static func bytes(of text: Span<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      let (character, length) = text.scalar(at: position)
      guard character < 0x180, let byte = bytes[Int(character)] else { return nil }
      result.append(byte)
      position += length
    }
    return result
  }
}
