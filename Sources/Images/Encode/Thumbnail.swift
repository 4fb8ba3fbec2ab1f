import TensorCore

/// A picture made small enough to stand in a page or an answer by itself: a JPEG within a number of bytes.
package struct Thumbnail: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// The JPEG.
  package let bytes: [UInt8]

  /// The whole picture, not enlarged, with sides of at most `side` pixels, in the best quality that fits.
  /// - Throws: ``ApusError`` of kind `argument` for a side that is not positive, of kind `image` when even the
  ///   lowest quality does not fit.
  package init(of image: RGBImage, side: Int, maximumBytes: Int) throws(ApusError) {
    let scale = min(Double(side) / Double(max(image.width, image.height)), 1)
    let small = try PillowResize.resize(
      image, width: min(max(Int((Double(image.width) * scale).rounded()), 1), side),
      height: min(max(Int((Double(image.height) * scale).rounded()), 1), side), filter: .bicubic)
    for quality in Self.qualities {
      if let bytes = try JPEGEncoder.encode(small, quality: quality, maximumBytes: maximumBytes) {
        self.init(small, bytes)
        return
      }
    }
    throw ApusError(
      .image, "a thumbnail of \(small.width)×\(small.height) pixels in more than \(maximumBytes) bytes",
      expected: "a smaller side or more bytes")
  }

  private init(_ image: RGBImage, _ bytes: [UInt8]) {
    width = image.width
    height = image.height
    self.bytes = bytes
  }

  private static let qualities = [80, 70, 55, 40, 25, 10]
}
