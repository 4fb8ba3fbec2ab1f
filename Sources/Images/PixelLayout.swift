import TensorCore

/// How the bytes of pixels lie that another program has decoded: a byte for each channel, in this order.
public enum PixelLayout: String, Sendable, Hashable, CaseIterable {
  /// Three colours; with alpha in four.
  case rgb, bgr, rgba, bgra, argb, abgr
  /// One byte for all three colours.
  case gray

  /// The bytes of a pixel.
  public var bytesPerPixel: Int {
    switch self {
    case .gray: 1
    case .rgb, .bgr: 3
    case .rgba, .bgra, .argb, .abgr: 4
    }
  }

  /// Where red, green and blue are in a pixel.
  fileprivate var places: (red: Int, green: Int, blue: Int) {
    switch self {
    case .rgb, .rgba: (0, 1, 2)
    case .bgr, .bgra: (2, 1, 0)
    case .argb: (1, 2, 3)
    case .abgr: (3, 2, 1)
    case .gray: (0, 0, 0)
    }
  }
}

extension RGBImage {
  /// A picture of pixels in another layout. Alpha is left out, as Pillow's `convert("RGB")` does: pixels must not be
  /// premultiplied with it unless they are opaque.
  /// - Parameters:
  ///   - bytes: rows from top to bottom.
  ///   - bytesPerRow: from the start of one row to that of the next; nil when rows follow each other.
  /// - Throws: ``ApusError`` of kind `argument` when a side is not positive, a row is too short for its pixels, or the
  ///   bytes end before the last pixel.
  public init(
    width: Int, height: Int, _ bytes: [UInt8], layout: PixelLayout, bytesPerRow: Int? = nil
  ) throws(ApusError) {
    self = try bytes.span.withUnsafeBytes { (bytes) throws(ApusError) in
      try RGBImage(width: width, height: height, bytes, layout: layout, bytesPerRow: bytesPerRow)
    }
  }

  /// The same of a buffer of another program, such as a camera's, which is read once and not kept.
  /// - Parameters:
  ///   - bytes: rows from top to bottom.
  ///   - bytesPerRow: from the start of one row to that of the next; nil when rows follow each other.
  /// - Throws: ``ApusError`` of kind `argument` when a side is not positive, a row is too short for its pixels, or the
  ///   bytes end before the last pixel.
  public init(
    width: Int, height: Int, _ bytes: UnsafeRawBufferPointer, layout: PixelLayout, bytesPerRow: Int? = nil
  ) throws(ApusError) {
    guard width > 0, height > 0 else {
      throw ApusError(.argument, "a picture of \(width)×\(height) pixels", expected: "positive sides")
    }
    let (row, isWide) = width.multipliedReportingOverflow(by: layout.bytesPerPixel)
    let stride = bytesPerRow ?? row
    guard !isWide, stride >= row else {
      throw ApusError(
        .argument, "\(stride) bytes in a row of \(width) pixels in \(layout.rawValue)",
        expected: "\(layout.bytesPerPixel) for each")
    }
    let (before, isHigh) = stride.multipliedReportingOverflow(by: height - 1)
    guard !isHigh, before <= bytes.count, row <= bytes.count - before else {
      throw ApusError(
        .argument, "\(bytes.count) bytes of \(width)×\(height) pixels in \(layout.rawValue)",
        expected: "\(height) rows that begin \(stride) bytes apart, \(row) bytes in the last")
    }
    let (red, green, blue) = layout.places
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * Self.channels)
    for y in 0..<height {
      for first in Swift.stride(from: y * stride, to: y * stride + row, by: layout.bytesPerPixel) {
        pixels.append(bytes[first + red])
        pixels.append(bytes[first + green])
        pixels.append(bytes[first + blue])
      }
    }
    self.init(sound: width, height, pixels)
  }
}
