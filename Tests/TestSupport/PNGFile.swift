/// PNG files without compression, for tests that need pictures in files.
package enum PNGFile {
  /// - Parameters:
  ///   - pixels: red, green and blue of each, row by row.
  ///   - hasAlpha: whether alpha comes after these.
  package static func bytes(width: Int, height: Int, pixels: [UInt8], hasAlpha: Bool = false) -> [UInt8] {
    let (channels, colourType): (Int, UInt8) = hasAlpha ? (4, 6) : (3, 2)
    let rowBytes = width * channels
    let rows = (0..<height).map { Array(pixels[($0 * rowBytes)..<(($0 + 1) * rowBytes)]) }
    return bytes(width: width, bitDepth: 8, colourType: colourType, rows: rows)
  }

  /// - Parameters:
  ///   - colourType: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  ///   - rows: the samples of each, packed.
  ///   - chunks: what stands before the image data.
  package static func bytes(
    width: Int, bitDepth: UInt8, colourType: UInt8, rows: [[UInt8]],
    chunks: [(name: String, body: [UInt8])] = []
  ) -> [UInt8] {
    let header: [UInt8] = number(width) + number(rows.count) + [bitDepth, colourType, 0, 0, 0]
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let before = chunks.flatMap { chunk($0.name, $0.body) }
    let data = chunk("IDAT", stored(rows.flatMap { [0] + $0 }))
    return [signature, chunk("IHDR", header), before, data, chunk("IEND", [])].flatMap { $0 }
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
    var sum: UInt32 = ~0
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 != 0 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
