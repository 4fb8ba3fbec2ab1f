import TensorCore

/// Turns the bytes of a PNG or JPEG file into RGB, within limits.
///
/// The content decides the format, never the name. Every failure is an ``ApusError`` of kind `image` (or
/// `file` when the file cannot be read).
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
    var outcome: Result<DecodedImage, ApusError>?
    bytes.withUnsafeBytes { buffer in
      outcome = Result { () throws(ApusError) in try decode(buffer, limits: limits, options: options) }
    }
    guard let outcome else { throw ImageFormat.refusal(of: UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try outcome.get()
  }

  /// The picture in `bytes`, the content of a file, which is not kept.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits = .standard, options: ImageOptions = .standard
  ) throws(ApusError) -> DecodedImage {
    guard bytes.count <= limits.fileBytes else {
      throw ApusError(.image, "the file has \(bytes.count) bytes", expected: "at most \(limits.fileBytes)")
    }
    let raster: Raster
    let exif: [UInt8]?
    switch ImageFormat(sniffing: bytes) {
    case .png:
      raster = try PNGDecoder.decode(bytes, limits: limits, options: options)
      exif = ExifLocator.inPNG(bytes)
    case .jpeg:
      raster = try JPEGDecoder.decode(bytes, limits: limits)
      exif = ExifLocator.inJPEG(bytes)
    default:
      throw ImageFormat.refusal(of: bytes)
    }
    if let damage = raster.damage, !options.acceptsDamage {
      throw ApusError(
        .image, damage, expected: "a file without damage", advice: "Copy or download the file again.")
    }
    return finish(raster, exif: exif, options: options)
  }

  private static func finish(_ raster: Raster, exif: [UInt8]?, options: ImageOptions) -> DecodedImage {
    let orientation = exif?.withUnsafeBytes { ExifReader.orientation(in: $0) } ?? .upright
    let reorients = options.appliesOrientation && orientation != .upright
    let source = ImageSource(
      format: raster.format, colour: raster.colour, storedWidth: raster.image.width,
      storedHeight: raster.image.height, orientation: orientation, isReoriented: reorients,
      notes: raster.notes, damage: raster.damage)
    return DecodedImage(
      image: reorients ? orientation.applied(to: raster.image) : raster.image, source: source)
  }
}

/// What a decoder of one format gives: the picture as it lies in the file.
struct Raster {
  let image: RGBImage
  let format: ImageFormat
  let colour: String
  let notes: [String]
  /// What is wrong with the data, in a clause.
  let damage: String?
}

extension ImageLimits {
  /// The bytes of an RGB picture of the given size.
  /// - Throws: ``ApusError`` when it has no pixels, or more than allowed.
  func checkedArea(width: UInt32, height: UInt32, format: ImageFormat) throws(ApusError) -> Int {
    // 32 by 32 bits cannot overflow 64.
    let area = UInt64(width) * UInt64(height)
    guard area > 0, let count = Int(exactly: area), count <= pixels, count <= Int.max / 64 else {
      throw ApusError(
        .image, "a \(format.rawValue) of \(width)×\(height) pixels",
        expected: "at least one and at most \(pixels) pixels",
        advice: "If the file is meant, raise the limit: --pixel-limit of the commands, ImageLimits.pixels.")
    }
    return count
  }
}
