import TensorCore

/// Turns the bytes of a picture file into RGB, within limits.
///
/// The content decides the format, never the name. PNG, JPEG and BMP are always read; the other formats need a library of
/// the system (``ImageFormat/isSupported``), and an error says which where it is missing. Of files with several pictures the
/// first counts; one that is a thumbnail of another, as in raw files of cameras, is refused. Every failure is an ``ApusError`` of kind `image` (or `file` when the file cannot
/// be read).
public enum ImageDecoder {
  /// The picture in the regular file at `path`.
  public static func decode(
    contentsOf path: String, limits: ImageLimits = .standard, options: ImageOptions = .standard
  ) throws(ApusError) -> DecodedImage {
    let bytes = try FileBytes.read(path, limit: limits.fileBytes)
    do throws(ApusError) {
      return try decode(bytes, limits: limits, options: options)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The picture in `bytes`, the content of a file.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .standard, options: ImageOptions = .standard
  ) throws(ApusError) -> DecodedImage {
    try decode(bytes, limits: limits, options: options, libraries: .installed)
  }

  /// The picture in `bytes`, the content of a file, which is not kept.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits = .standard, options: ImageOptions = .standard
  ) throws(ApusError) -> DecodedImage {
    try decode(bytes, limits: limits, options: options, libraries: .installed)
  }

  /// The same with libraries that the caller chooses.
  package static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .standard, options: ImageOptions = .standard,
    libraries: PictureLibraries
  ) throws(ApusError) -> DecodedImage {
    var outcome: Result<DecodedImage, ApusError>?
    bytes.withUnsafeBytes { buffer in
      outcome = Result { () throws(ApusError) in
        try decode(buffer, limits: limits, options: options, libraries: libraries)
      }
    }
    guard let outcome else { throw ImageFormat.refusal(of: UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try outcome.get()
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits, options: ImageOptions, libraries: PictureLibraries
  ) throws(ApusError) -> DecodedImage {
    guard bytes.count <= limits.fileBytes else {
      throw ApusError(.image, "the file has \(bytes.count) bytes", expected: "at most \(limits.fileBytes)")
    }
    let raster: Raster
    switch ImageFormat(sniffing: bytes) {
    case .png: raster = try PNGDecoder.decode(bytes, limits: limits, options: options)
    case .jpeg: raster = try JPEGDecoder.decode(bytes, limits: limits, options: options)
    case .bmp: raster = try BMPDecoder.decode(bytes, limits: limits, options: options)
    case .webp: raster = try WebPDecoder(libraries.webp, limits, options).decode(bytes)
    case .gif: raster = try GIFDecoder(libraries.gif, limits, options).decode(bytes)
    case .tiff: raster = try TIFFDecoder(libraries.tiff, limits, options).decode(bytes)
    case .heic: raster = try HEIFDecoder(libraries.heif, limits, options).decode(bytes)
    case .avif: raster = try AVIFDecoder(libraries.avif, limits, options).decode(bytes)
    case .jpegXL, .jpeg2000, nil: throw ImageFormat.refusal(of: bytes)
    }
    if let damage = raster.damage, !options.acceptsDamage {
      throw ApusError(
        .image, damage, expected: "a file without damage", advice: "Copy or download the file again.")
    }
    return finish(raster, options: options)
  }

  private static func finish(_ raster: Raster, options: ImageOptions) -> DecodedImage {
    let orientation = raster.orientation
    let reorients = options.appliesOrientation && orientation != .upright
    let source = ImageSource(
      format: raster.format, colour: raster.colour, storedWidth: raster.storedWidth,
      storedHeight: raster.storedHeight, orientation: orientation, isReoriented: reorients,
      notes: raster.notes, hasAlpha: raster.hasAlpha, damage: raster.damage)
    return DecodedImage(
      image: reorients ? orientation.applied(to: raster.image) : raster.image, source: source)
  }
}

extension ImageLimits {
  /// What one coded picture in a container may have: codecs round sides up, and a file may crop.
  var codedPixels: UInt64 {
    let (coded, overflow) = UInt64(clamping: pixels).multipliedReportingOverflow(by: 4)
    return overflow ? .max : max(coded, 1 << 20)
  }

  /// The bytes of an RGB picture of the given size.
  /// - Throws: ``ApusError`` when it has no pixels, or more than allowed.
  func checkedArea(width: UInt32, height: UInt32, format: ImageFormat) throws(ApusError) -> Int {
    // 32 by 32 bits cannot overflow 64.
    let area = UInt64(width) * UInt64(height)
    guard area > 0, let count = Int(exactly: area), count <= pixels, count <= Int.max / 64 else {
      throw ApusError(
        .image, "a \(format.rawValue) of \(width)×\(height) pixels",
        expected: "at least one and at most \(pixels) pixels",
        advice: "If you trust this file, raise the limit: \(Setting.pixelLimit).")
    }
    return count
  }
}
