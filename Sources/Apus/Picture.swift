import Images
import TensorCore

/// A picture to classify, in one of the forms it may come in.
public enum Picture: Sendable {
  /// The path of a PNG or JPEG file.
  case file(String)
  /// The content of such a file.
  case encoded([UInt8])
  /// Decoded pixels.
  case pixels(RGBImage)

  /// - Throws: ``ApusError`` of kind `file` or `image`.
  func decoded(limits: ImageLimits, options: ImageOptions) throws(ApusError) -> RGBImage {
    switch self {
    case .file(let path):
      try ImageDecoder.decode(contentsOf: path, limits: limits, options: options).image
    case .encoded(let bytes): try ImageDecoder.decode(bytes, limits: limits, options: options).image
    case .pixels(let image): image
    }
  }

  /// The path, for errors.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }
}

extension Picture: ExpressibleByStringLiteral {
  /// The file at a path.
  public init(stringLiteral path: String) { self = .file(path) }
}
