/// Reads the characters that stand for bytes in byte-level vocabularies; a piece with others stands for itself.
struct ByteLevelDecoder: TokenDecoder {
  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    let bytes = pieces.flatMap { ByteLevel.bytes(of: $0.span) ?? $0 }
    return [Array(String(decoding: bytes, as: UTF8.self).utf8)]
  }
}

/// Reads the pieces `<0x00>` … `<0xFF>` as bytes. Those that follow each other and are no text give U+FFFD each.
struct ByteFallbackDecoder: TokenDecoder {
  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var bytes: [UInt8] = []
    func flush() {
      guard !bytes.isEmpty else { return }
      if String(validating: bytes, as: UTF8.self) != nil {
        result.append(bytes)
      } else {
        result += repeatElement([0xEF, 0xBF, 0xBD], count: bytes.count)
      }
      bytes = []
    }
    for piece in pieces {
      if let byte = Self.byte(piece) {
        bytes.append(byte)
      } else {
        flush()
        result.append(piece)
      }
    }
    flush()
    return result
  }

  private static func byte(_ piece: [UInt8]) -> UInt8? {
    guard piece.count == 6, piece.starts(with: "<0x".utf8), piece[5] == UInt8(ascii: ">") else { return nil }
    return UInt8(String(decoding: piece[3..<5], as: UTF8.self), radix: 16)
  }
}
