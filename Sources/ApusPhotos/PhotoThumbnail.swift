import Apus
import Images
import TensorCore

/// A photograph made small: a JPEG, upright.
public struct PhotoThumbnail: Sendable, Hashable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The JPEG.
  public let bytes: [UInt8]

  /// The picture in a file's bytes; one that is smaller is not enlarged.
  /// - Parameters:
  ///   - bytes: the content of a picture file.
  ///   - side: pixels that neither side exceeds.
  ///   - maximumBytes: of the JPEG, whose quality is the best that fits.
  /// - Throws: ``ApusError`` of kind `image` for what cannot be decoded, or not be made so small.
  public init(of bytes: [UInt8], side: Int = 320, maximumBytes: Int = 20_000) throws(ApusError) {
    let options = ImageOptions(minimumShortSide: side)
    let raw = try RawPicture(in: bytes)
    let decoded = try ImageDecoder.decode(raw?.jpeg ?? bytes, options: options).image
    let image = raw?.upright(decoded) ?? decoded
    let small = try Thumbnail(of: image, side: side, maximumBytes: maximumBytes)
    (width, height, self.bytes) = (small.width, small.height, small.bytes)
  }

  /// The picture in a file.
  /// - Throws: ``ApusError`` as for its bytes, and of kind `file`.
  public init(contentsOf path: String, side: Int = 320, maximumBytes: Int = 20_000) throws(ApusError) {
    try self.init(
      of: try FileBytes.read(path, limit: ImageLimits.standard.fileBytes), side: side,
      maximumBytes: maximumBytes)
  }
}
