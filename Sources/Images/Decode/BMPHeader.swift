import TensorCore

/// What the headers of a BMP say, as far as Pillow reads it: Windows 2 to 5 and OS/2. Nothing is taken on trust.
struct BMPHeader {
  /// How the pixels are stored.
  enum Encoding {
    case indices
    case runs
    /// Two bytes for a pixel: 5 bits of each colour, or 6 of green.
    case packed16(greenBits: Int)
    /// The places of red, green, blue and alpha in the bytes of a pixel.
    case bytes(red: Int, green: Int, blue: Int, alpha: Int?)
  }

  let width, height: UInt32
  let bits: Int
  /// Whether the first stored row is the upper one.
  let isTopDown: Bool
  let encoding: Encoding
  let palette: Palette
  /// Where pixels begin in the file.
  let pixelOffset: Int

  /// Bytes of a stored row without runs, which end at a multiple of four.
  var rowBytes: Int { (Int(width) * bits + 31) / 32 * 4 }

  init(_ bytes: UnsafeRawBufferPointer) throws(ApusError) {
    let file = LittleEndianBytes(bytes)
    let size = try file.number(at: 14, bytes: 4)
    guard [12, 40, 52, 56, 64, 108, 124].contains(size) else {
      throw Self.unsupported("a header of \(size) bytes", "12, 40, 52, 56, 64, 108 or 124")
    }
    guard bytes.count >= 14 + size else { throw .truncated(.bmp) }
    let isOldest = size == 12
    if isOldest {
      width = UInt32(clamping: try file.number(at: 18, bytes: 2))
      height = UInt32(clamping: try file.number(at: 20, bytes: 2))
      bits = try file.number(at: 24, bytes: 2)
      isTopDown = false
    } else {
      let rows = UInt32(truncatingIfNeeded: try file.number(at: 22, bytes: 4))
      width = UInt32(truncatingIfNeeded: try file.number(at: 18, bytes: 4))
      // A negative number of rows counts them from above; Pillow sees that by the highest byte.
      isTopDown = rows >> 24 == 0xFF
      height = isTopDown ? 0 &- rows : rows
      bits = try file.number(at: 28, bytes: 2)
    }
    guard [1, 4, 8, 16, 24, 32].contains(bits) else {
      throw Self.unsupported("\(bits) bits for a pixel", "1, 4, 8, 16, 24 or 32")
    }
    let compression = isOldest ? 0 : try file.number(at: 30, bytes: 4)
    encoding = try Self.encoding(compression, bits: bits, headerBytes: size, file)
    let colours = try Self.colours(isOldest ? 0 : try file.number(at: 46, bytes: 4), bits: bits)
    let entry = isOldest ? 3 : 4
    palette = bits > 8 ? Palette() : Self.palette(in: bytes, at: 14 + size, colours, entryBytes: entry)
    let masks = compression == Self.bitFields && size == 40 ? 12 : 0
    let afterHeaders = 14 + size + masks + (bits > 8 ? 0 : colours * entry)
    let stated = try file.number(at: 10, bytes: 4)
    // Some programs leave the palette out of account.
    pixelOffset = stated == 0 || (bits <= 8 && stated == 14 + size) ? afterHeaders : stated
  }

  private static let runs8 = 1, runs4 = 2, bitFields = 3

  private static func encoding(
    _ compression: Int, bits: Int, headerBytes: Int, _ file: LittleEndianBytes
  ) throws(ApusError) -> Encoding {
    switch (compression, bits) {
    case (0, 1...8): return .indices
    case (0, 16): return .packed16(greenBits: 5)
    case (0, _): return .bytes(red: 2, green: 1, blue: 0, alpha: nil)
    case (runs8, 8), (runs4, 4): return .runs
    case (bitFields, 16...):
      // Headers of 40 and 52 bytes have no mask for alpha.
      let count = headerBytes >= 56 ? 4 : 3
      var masks = [0, 0, 0, 0]
      for index in 0..<count { masks[index] = try file.number(at: 54 + index * 4, bytes: 4) }
      return try encoding(masks: masks, bits: bits)
    default:
      throw unsupported("compression \(compression) of \(bits) bits", "none, runs or bit fields")
    }
  }

  /// The layouts of masks for red, green, blue and alpha that Pillow reads.
  private static func encoding(masks: [Int], bits: Int) throws(ApusError) -> Encoding {
    switch (bits, masks[0], masks[1], masks[2], masks[3]) {
    case (16, 0xF800, 0x7E0, 0x1F, _): return .packed16(greenBits: 6)
    case (16, 0x7C00, 0x3E0, 0x1F, _): return .packed16(greenBits: 5)
    case (24, 0xFF0000, 0xFF00, 0xFF, _), (32, 0xFF0000, 0xFF00, 0xFF, 0):
      return .bytes(red: 2, green: 1, blue: 0, alpha: nil)
    case (32, 0xFF00_0000, 0xFF0000, 0xFF00, 0): return .bytes(red: 3, green: 2, blue: 1, alpha: nil)
    case (32, 0xFF00_0000, 0xFF00, 0xFF, 0): return .bytes(red: 3, green: 1, blue: 0, alpha: nil)
    case (32, 0xFF00_0000, 0xFF0000, 0xFF00, 0xFF): return .bytes(red: 3, green: 2, blue: 1, alpha: 0)
    case (32, 0xFF, 0xFF00, 0xFF0000, 0xFF00_0000): return .bytes(red: 0, green: 1, blue: 2, alpha: 3)
    case (32, 0xFF00_0000, 0xFF00, 0xFF, 0xFF0000): return .bytes(red: 3, green: 1, blue: 0, alpha: 2)
    case (32, 0xFF0000, 0xFF00, 0xFF, 0xFF00_0000), (32, 0, 0, 0, 0):
      return .bytes(red: 2, green: 1, blue: 0, alpha: 3)
    default:
      let text = masks.map { String($0, radix: 16) }.joined(separator: ", ")
      throw unsupported("bit fields \(text) of \(bits) bits", "whole bytes, or 5 or 6 bits of each colour")
    }
  }

  private static func colours(_ stated: Int, bits: Int) throws(ApusError) -> Int {
    guard bits <= 8 else { return 0 }
    let count = stated == 0 ? 1 << bits : stated
    guard count <= 256 else { throw unsupported("a palette of \(count) colours", "at most 256") }
    return count
  }

  /// Blue, green and red of each colour; a palette that the file cuts short is followed by no pixels either.
  private static func palette(
    in bytes: UnsafeRawBufferPointer, at offset: Int, _ colours: Int, entryBytes: Int
  ) -> Palette {
    var rgb: [UInt8] = []
    for start in stride(from: offset, to: offset + colours * entryBytes, by: entryBytes) {
      guard start + 3 <= bytes.count else { break }
      rgb += [bytes[start + 2], bytes[start + 1], bytes[start]]
    }
    return Palette(rgb: rgb)
  }

  private static func unsupported(_ problem: String, _ expected: String) -> ApusError {
    ApusError(.image, "a BMP with \(problem)", expected: expected, advice: "Convert the file to PNG or JPEG.")
  }
}

/// Numbers whose lowest byte stands first.
private struct LittleEndianBytes {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func number(at offset: Int, bytes count: Int) throws(ApusError) -> Int {
    guard offset + count <= bytes.count else { throw .truncated(.bmp) }
    return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
