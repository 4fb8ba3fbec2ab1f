import TensorCore

/// What is known of a picture before it is decoded.
struct PictureHeader {
  /// The sides of the picture as it lies in the file.
  let width, height: Int
  let orientation: Orientation
  let exif: ExifMetadata
  /// Bytes that its decoder holds for each stored pixel besides the finished ones, at most.
  let workingBytes: Int
  /// Whether it has an alpha channel, or a colour that is transparent, as far as the header tells.
  let hasAlpha: Bool

  /// - Parameter orientation: where it is not for EXIF to say.
  init(
    width: Int, height: Int, orientation: Orientation? = nil, exif: ExifMetadata = ExifMetadata(),
    workingBytes: Int = 0, hasAlpha: Bool = false
  ) {
    (self.width, self.height, self.exif) = (width, height, exif)
    (self.workingBytes, self.hasAlpha) = (workingBytes, hasAlpha)
    self.orientation = orientation ?? exif.orientation ?? .upright
  }

  init(
    of bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ libraries: PictureLibraries
  ) throws(ApusError) {
    let limits = ImageLimits.standard, options = ImageOptions.standard
    let header =
      switch format {
      case .png: try PNGDecoder.header(of: bytes)
      case .jpeg: try JPEGDecoder.header(of: bytes)
      case .bmp: try BMPDecoder.header(of: bytes)
      case .webp: try WebPDecoder(libraries.webp, limits, options).header(of: bytes)
      case .gif: try GIFDecoder(libraries.gif, limits, options).header(of: bytes)
      case .tiff: try TIFFDecoder(libraries.tiff, limits, options).header(of: bytes)
      case .heic: try HEIFDecoder(libraries.heif, limits, options).header(of: bytes)
      case .avif: try AVIFDecoder(libraries.avif, limits, options).header(of: bytes)
      case .jpegXL, .jpeg2000: throw ImageFormat.refusal(of: bytes)
      }
    guard header.width > 0, header.height > 0 else {
      throw ApusError(
        .image, "a \(format.rawValue) of \(header.width)×\(header.height) pixels", expected: "at least one")
    }
    self = header
  }
}
