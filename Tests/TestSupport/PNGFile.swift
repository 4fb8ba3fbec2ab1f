/// PNG files without compression, for tests that need pictures in files.
package enum PNGFile {
  /// - Parameter pixels: red, green and blue of each, row by row.
  package static func bytes(width: Int, height: Int, pixels: [UInt8]) -> [UInt8] {
    let rowBytes = width * 3
    let rows = (0..<height).flatMap { row in [0] + pixels[(row * rowBytes)..<((row + 1) * rowBytes)] }
    let header = number(width) + number(height) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    return number(body.count) + content + number(Int(checksum(content)))
  }

  /// A zlib stream of one block that is stored as it is: at most 65 535 bytes.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(bytes.count)
    let lengths = [length, ~length].flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return [0x78, 0x01, 0x01] + lengths + bytes + number(b << 16 | a)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
