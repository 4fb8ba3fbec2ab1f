import CJPEG
import TensorCore

/// JPEG through libjpeg: baseline, colours at half the resolution, as every program reads it.
package enum JPEGEncoder {
  /// - Parameter quality: from 1 to 100, in the meaning of libjpeg; what lies beyond is taken as the nearer end.
  /// - Returns: the file; nil when it would have more than `maximumBytes`.
  /// - Throws: ``ApusError`` of kind `image` for a side above 65500 pixels, and of kind `resources` without
  ///   memory.
  package static func encode(
    _ image: RGBImage, quality: Int, maximumBytes: Int
  ) throws(ApusError) -> [UInt8]? {
    let side = max(image.width, image.height)
    guard side <= maximumSide else {
      throw ApusError(
        .image, "a picture of \(image.width)×\(image.height) pixels to be written as JPEG",
        expected: "sides of at most \(maximumSide)")
    }
    var status = Int32(APUS_JPEG_OK)
    let capacity = min(max(maximumBytes, 0), longestFile(of: image)) + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
      status = apus_jpeg_write(
        image.pixels, UInt32(image.width), UInt32(image.height), Int32(min(max(quality, 1), 100)),
        bytes.baseAddress, bytes.count, &count)
    }
    switch Int(status) {
    case APUS_JPEG_OK: return bytes
    case APUS_JPEG_TOO_LARGE: return nil
    default: throw ApusError(.resources, "no memory to write a JPEG")
    }
  }

  /// More bytes than any JPEG of the picture has: a coefficient takes 26 bits at most, and there are as many as
  /// samples in whole blocks of 16 × 16 pixels.
  private static func longestFile(of image: RGBImage) -> Int {
    let columns = (image.width + 15) / 16 * 16, rows = (image.height + 15) / 16 * 16
    return columns * rows * RGBImage.channels * 4 + (1 << 16)
  }

  /// The longest side that libjpeg writes.
  private static let maximumSide = 65500
}
