/// What decoding may cost at most, whatever a file says of itself.
///
/// Memory stays under ``pixels`` × 3 bytes for the picture, once more as much while it is turned upright, and for each
/// pixel 32 bytes while a progressive JPEG is read, 14 while a TIFF in planes is, and what libwebp, libheif and libavif
/// take for their planes.
public struct ImageLimits: Sendable, Hashable {
  /// The largest number of pixels. The default is the one above which Pillow warns of a bomb: a quarter of
  /// a gibibyte of RGB.
  public var pixels: Int
  /// The largest file, in bytes.
  public var fileBytes: Int
  /// The largest number of scans of a JPEG; encoders write about ten, and each costs a pass over the picture.
  public var scans: Int
  /// The largest chunk of a PNG beside its image data, in bytes.
  public var chunkBytes: Int

  /// Limits for pictures of any kind; each may be stated by itself.
  public init(
    pixels: Int = 89_478_485, fileBytes: Int = 1 << 29, scans: Int = 100, chunkBytes: Int = 1 << 26
  ) {
    self.pixels = pixels
    self.fileBytes = fileBytes
    self.scans = scans
    self.chunkBytes = chunkBytes
  }

  /// The limits that the defaults of the initialiser state.
  public static let standard = ImageLimits()

  /// The longest side of a PNG or TIFF; libpng's own default, which bounds its row buffers to 8 MB each, and the calls
  /// that a TIFF of narrow rows costs.
  static let side: UInt32 = 1_000_000
}
