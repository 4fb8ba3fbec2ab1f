import TensorCore

/// BMP, which no common library of the system reads: what Pillow reads of it, and to the same bytes.
enum BMPDecoder {
  /// What the file's headers say.
  static func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    let header = try BMPHeader(bytes)
    return PictureHeader(
      width: Int(header.width), height: Int(header.height), workingBytes: header.bits <= 8 ? 1 : 0,
      hasAlpha: header.bits == 32)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits, options: ImageOptions
  ) throws(ApusError) -> Raster {
    let header = try BMPHeader(bytes)
    let area = try limits.checkedArea(width: header.width, height: header.height, format: .bmp)
    let width = Int(header.width), height = Int(header.height)
    var pixels: [UInt8]
    var alpha = AlphaChannel(isPresent: false, options)
    switch header.encoding {
    case .runs:
      let indices = try BMPRuns.indices(
        bytes, from: header.pixelOffset, width: width, height: height, bits: header.bits)
      pixels = header.palette.pixels(indices, transparent: nil, withAlpha: false)
    case .indices:
      let rows = try rows(bytes, header)
      pixels = header.palette.pixels(
        indices(rows, header, area: area), transparent: nil, withAlpha: false)
    case .packed16(let greenBits):
      pixels = unpacked16(try rows(bytes, header), header, area: area, greenBits: greenBits)
    case .bytes(let red, let green, let blue, let alphaPlace):
      alpha = AlphaChannel(isPresent: alphaPlace != nil, options)
      let places = [red, green, blue] + (alpha.isNeeded ? [alphaPlace ?? 0] : [])
      pixels = alpha.rgb(gathered(try rows(bytes, header), header, area: area, places))
    }
    let image = RGBImage(sound: width, height, pixels)
    return Raster(
      image: header.isTopDown ? image : Orientation.flipped.applied(to: image), format: .bmp,
      colour: name(of: header), notes: alpha.notes, hasAlpha: alpha.isPresent)
  }

  /// The stored rows, of which the last may lack the bytes that fill it up.
  private static func rows(
    _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader
  ) throws(ApusError) -> UnsafeRawBufferPointer {
    let used = (Int(header.width) * header.bits + 7) / 8
    // The area is within the limits, and a pixel has four bytes at most.
    let count = header.rowBytes * (Int(header.height) - 1) + used
    guard header.pixelOffset <= bytes.count, count <= bytes.count - header.pixelOffset else {
      throw .truncated(.bmp)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[header.pixelOffset..<(header.pixelOffset + count)])
  }

  private static func indices(_ rows: UnsafeRawBufferPointer, _ header: BMPHeader, area: Int) -> [UInt8] {
    var indices: [UInt8] = []
    indices.reserveCapacity(area)
    let perByte = 8 / header.bits, mask = UInt8(truncatingIfNeeded: (1 << header.bits) - 1)
    for y in 0..<Int(header.height) {
      for x in 0..<Int(header.width) {
        let shift = (perByte - 1 - x % perByte) * header.bits
        indices.append(rows[y * header.rowBytes + x / perByte] >> UInt8(shift) & mask)
      }
    }
    return indices
  }

  private static func unpacked16(
    _ rows: UnsafeRawBufferPointer, _ header: BMPHeader, area: Int, greenBits: Int
  ) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(area * 3)
    let greenMost = 1 << greenBits - 1
    for y in 0..<Int(header.height) {
      for x in 0..<Int(header.width) {
        let start = y * header.rowBytes + x * 2
        let value = Int(rows[start]) | Int(rows[start + 1]) << 8
        pixels.append(UInt8(truncatingIfNeeded: (value >> (5 + greenBits) & 31) * 255 / 31))
        pixels.append(UInt8(truncatingIfNeeded: (value >> 5 & greenMost) * 255 / greenMost))
        pixels.append(UInt8(truncatingIfNeeded: (value & 31) * 255 / 31))
      }
    }
    return pixels
  }

  /// The bytes at `places` of each pixel.
  private static func gathered(
    _ rows: UnsafeRawBufferPointer, _ header: BMPHeader, area: Int, _ places: [Int]
  ) -> [UInt8] {
    let pixelBytes = header.bits / 8, channels = places.count
    return [UInt8](unsafeUninitializedCapacity: area * channels) { buffer, count in
      var write = 0
      for y in 0..<Int(header.height) {
        for x in 0..<Int(header.width) {
          let start = y * header.rowBytes + x * pixelBytes
          for place in places {
            buffer[write] = rows[start + place]
            write += 1
          }
        }
      }
      count = write
    }
  }

  private static func name(of header: BMPHeader) -> String {
    let model =
      switch header.encoding {
      case .indices: "palette"
      case .runs: "palette in runs"
      case .packed16: "RGB"
      case .bytes(_, _, _, let alpha): alpha == nil ? "RGB" : "RGB with alpha"
      }
    return "\(model) \(header.bits)-bit"
  }
}
