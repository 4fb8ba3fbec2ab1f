import CCodecs

/// Rows of a decoded AVIF as libyuv takes them, which converts for Pillow: of more than 8 bits the upper 8, and chroma of
/// half the resolution interpolated between samples in the ratio of 3 to 1.
struct AVIFPlanes {
  private let decoder: OpaquePointer
  private let header: apus_avif_header
  private let width: Int

  init(_ decoder: OpaquePointer, _ header: apus_avif_header) {
    self.decoder = decoder
    self.header = header
    width = Int(header.width)
  }

  /// Samples of a plane at the full resolution.
  func row(_ plane: Int, _ y: Int) -> [UInt8] { samples(plane, y, count: width) }

  /// Samples of a plane of chroma for every pixel of the row at `y`; the middle where there are none.
  func chroma(_ plane: Int, _ y: Int) -> [UInt8] {
    let count = Int(header.chroma_width), rows = Int(header.chroma_height)
    guard count > 0 else { return [UInt8](repeating: 128, count: width) }
    let isHalfHeight = rows < Int(header.height), isHalfWidth = count < width
    let near = samples(plane, isHalfHeight ? y / 2 : y, count: count)
    guard isHalfWidth || isHalfHeight else { return near }
    let far = isHalfHeight ? samples(plane, Self.neighbour(y, rows), count: count) : near
    return (0..<width).map { x in
      let a = isHalfWidth ? x / 2 : x
      // The last pixel of a row has no neighbour, even where the width is odd.
      let b = isHalfWidth && x < width - 1 ? Self.neighbour(x, count) : a
      let sum = 9 * UInt32(near[a]) + 3 * (UInt32(near[b]) + UInt32(far[a])) + UInt32(far[b])
      return UInt8(truncatingIfNeeded: (sum + 8) >> 4)
    }
  }

  /// The sample on the other side of a place, at the border the nearest again.
  private static func neighbour(_ place: Int, _ count: Int) -> Int {
    min(max(place % 2 == 0 ? place / 2 - 1 : place / 2 + 1, 0), count - 1)
  }

  private func samples(_ plane: Int, _ y: Int, count: Int) -> [UInt8] {
    let isWide = header.bits > 8
    var bytes = [UInt8](repeating: 0, count: isWide ? count * 2 : count)
    apus_avif_copy_row(decoder, Int32(plane), UInt32(y), &bytes, bytes.count)
    guard isWide else { return bytes }
    let shift = header.bits - 8
    return (0..<count).map { index in
      UInt8(clamping: (UInt32(bytes[index * 2]) | UInt32(bytes[index * 2 + 1]) << 8) >> shift)
    }
  }
}
