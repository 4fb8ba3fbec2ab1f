import TensorCore

/// How much memory a picture takes while it is decoded, by what its header says.
package struct DecodingMemory: Sendable, Hashable {
  package let format: ImageFormat
  /// The stored sides.
  package let width, height: Int
  /// Bytes, the file's own not counted: at most, but for small buffers.
  package let byteCount: Int

  /// - Throws: ``ApusError`` of kind `image` for bytes that are no picture, or have a damaged header; or where a library
  ///   that the format needs is missing.
  package init(_ bytes: [UInt8], options: ImageOptions) throws(ApusError) {
    let outcome = bytes.withUnsafeBytes { buffer in
      Result { () throws(ApusError) in
        guard let format = ImageFormat(sniffing: buffer) else { throw ImageFormat.refusal(of: buffer) }
        return DecodingMemory(try PictureHeader(of: buffer, format, .installed), format, options)
      }
    }
    self = try outcome.get()
  }

  private init(_ header: PictureHeader, _ format: ImageFormat, _ options: ImageOptions) {
    (self.format, width, height) = (format, header.width, header.height)
    let reduction =
      format == .jpeg
      ? Int(JPEGDecoder.reduction(ofSide: UInt32(clamping: min(width, height)), options)) : 1
    let isTurned = options.appliesOrientation && header.orientation != .upright
    let hasAlpha = header.hasAlpha && options.transparency != .ignored
    let finished = 3 * (isTurned ? 2 : 1) + (hasAlpha ? 4 : 0)
    let sides = (width + reduction - 1, height + reduction - 1)
    let area = Self.product(sides.0 / reduction, sides.1 / reduction)
    let bytes = Self.product(area, finished)
    byteCount = Int(
      clamping: UInt64(bytes) + UInt64(Self.product(Self.product(width, height), header.workingBytes)))
  }

  private static func product(_ one: Int, _ other: Int) -> Int {
    let (product, overflow) = one.multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
