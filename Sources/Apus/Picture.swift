import FoundationEssentials
import Images
import TensorCore

/// A picture to classify or embed, in one of the forms it may come in.
public enum Picture: Sendable {
  /// The path of a picture's file, of any format that Apus decodes on this machine (``ImageFormat/isSupported``).
  case file(String)
  /// The content of such a file.
  case encoded([UInt8])
  /// Decoded pixels.
  case pixels(RGBImage)

  /// The file at a path.
  public init(_ path: String) { self = .file(path) }

  /// The file that a URL names.
  /// - Throws: ``ApusError`` of kind `argument` unless it is a `file:` URL; nothing is fetched.
  public init(_ url: URL) throws(ApusError) {
    guard url.isFileURL else {
      throw ApusError(
        .argument, "the URL \(url.absoluteString)", expected: "one of a file",
        advice: "Apus downloads nothing.")
    }
    self = .file(url.path)
  }

  /// The content of a picture file.
  public init(_ data: Data) { self = .encoded(Array(data)) }

  /// The content of a picture file.
  public init(_ bytes: [UInt8]) { self = .encoded(bytes) }

  /// Decoded pixels.
  public init(_ image: RGBImage) { self = .pixels(image) }

  /// The pixels, and what is wrong with the file that they are from.
  /// - Throws: ``ApusError`` of kind `file` or `image`.
  func decoded(
    limits: ImageLimits, options: ImageOptions
  ) throws(ApusError) -> (image: RGBImage, damage: String?) {
    let decoded: DecodedImage
    switch self {
    case .file(let path):
      decoded = try ImageDecoder.decode(contentsOf: path, limits: limits, options: options)
    case .encoded(let bytes): decoded = try ImageDecoder.decode(bytes, limits: limits, options: options)
    case .pixels(let image): return (image, nil)
    }
    return (decoded.image, decoded.source.damage)
  }

  /// The metadata in the picture's file, such as when and where it was taken. No pixel is decoded.
  ///
  ///     let taken = try Picture("photo.jpg").metadata().taken
  ///
  /// - Throws: ``ApusError`` of kind `file` or `image`, and of kind `argument` for pixels, which are from no file.
  public func metadata(limits: ImageLimits = .standard) throws(ApusError) -> PictureMetadata {
    switch self {
    case .file(let path): return try PictureMetadata(contentsOf: path, limits: limits)
    case .encoded(let bytes): return try PictureMetadata(of: bytes)
    case .pixels:
      throw ApusError(.argument, "decoded pixels", expected: "a picture file, which has metadata")
    }
  }

  /// The path, for errors.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }
}

extension Picture: ExpressibleByStringInterpolation {
  /// The file at a path.
  public init(stringLiteral path: String) { self = .file(path) }
}
