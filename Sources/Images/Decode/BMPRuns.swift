import TensorCore

/// The run-length encodings of BMP, for indices of 8 and of 4 bits.
enum BMPRuns {
  /// The indices of all pixels, the lower row first where the header does not say otherwise.
  /// - Throws: ``ApusError`` when they are fewer than the picture has, as Pillow does.
  static func indices(
    _ bytes: UnsafeRawBufferPointer, from offset: Int, width: Int, height: Int, bits: Int
  ) throws(ApusError) -> [UInt8] {
    let total = width * height
    var indices: [UInt8] = []
    // A run of two bytes makes 255 pixels at most.
    indices.reserveCapacity(min(total, bytes.count * 128))
    var position = offset, x = 0
    func next() -> UInt8? {
      guard position < bytes.count else { return nil }
      defer { position += 1 }
      return bytes[position]
    }
    while indices.count < total, let count = next(), let value = next() {
      switch (count, value) {
      case (0, 0):
        let missing = (width - indices.count % width) % width
        indices.append(contentsOf: repeatElement(0, count: missing))
        x = 0
      case (0, 1):
        throw .truncated(.bmp)
      case (0, 2):
        guard let right = next(), let up = next() else { throw .truncated(.bmp) }
        let skipped = min(total - indices.count, Int(right) + Int(up) * width)
        indices.append(contentsOf: repeatElement(0, count: skipped))
        x = indices.count % width
      case (0, let literal):
        let kept = min(total - indices.count, Int(literal))
        let byteCount = bits == 4 ? (kept + 1) / 2 : kept
        guard position <= bytes.count - byteCount else { throw .truncated(.bmp) }
        for pixel in 0..<kept {
          let byte = bytes[position + (bits == 4 ? pixel / 2 : pixel)]
          indices.append(bits == 4 ? nibble(byte, pixel) : byte)
        }
        position += byteCount
        x += Int(literal)
        // Literal pixels fill pairs of bytes, counted from the start of the file.
        position += position % 2
      default:
        let kept = max(min(Int(count), width - x), 0)
        for pixel in 0..<kept { indices.append(bits == 4 ? nibble(value, pixel) : value) }
        x += kept
      }
    }
    guard indices.count >= total else { throw .truncated(.bmp) }
    return Array(indices.prefix(total))
  }

  private static func nibble(_ byte: UInt8, _ pixel: Int) -> UInt8 {
    pixel % 2 == 0 ? byte >> 4 : byte & 0x0F
  }
}
