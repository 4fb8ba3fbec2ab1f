import TensorCore

/// What a picture's file says of the picture, read without decoding a pixel.
///
///     let metadata = try PictureMetadata(contentsOf: "photo.jpg")
///     print(metadata.width, metadata.height, metadata.camera ?? "unknown camera")
///
/// Everything but the sides is from EXIF: of JPEG, PNG (also as ImageMagick writes it, in text), WebP, HEIC and AVIF, and
/// of TIFF its own directories. A time that EXIF lacks is from XMP, of JPEG, PNG, WebP and TIFF. Broken EXIF says nothing; it
/// is no error.
public struct PictureMetadata: Sendable, Hashable, Codable {
  /// The format, by the file's first bytes.
  public let format: ImageFormat
  /// Pixels in a row of the upright picture: what decoding gives with ``ImageOptions/standard``.
  public let width: Int
  /// Rows of the upright picture.
  public let height: Int
  /// What decoding does to the stored picture to make it upright. Of HEIC nothing is left to do: its library does it.
  public let orientation: Orientation
  /// When the picture was taken; where the file does not say, when it was digitized, or else written.
  public let taken: PictureTime?
  /// Who made the camera.
  public let make: String?
  /// The camera's model.
  public let model: String?
  /// The lens's model.
  public let lens: String?
  /// Where the picture was taken.
  public let place: PicturePlace?

  /// Maker and model in one, such as "Canon EOS 5D"; the maker once where the model begins with its name.
  public var camera: String? {
    guard let model, let make else { return model ?? make }
    let maker = make.split(separator: " ").first.map(String.init) ?? make
    return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(make) \(model)"
  }

  /// What the regular file at `path` says.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, else as for bytes.
  public init(contentsOf path: String, limits: ImageLimits = .standard) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: limits.fileBytes)
    do throws(ApusError) {
      try self.init(of: bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  /// What `bytes` say, the content of a file. How many pixels there are is not limited, for none is decoded.
  /// - Throws: ``ApusError`` of kind `image` when the content is no picture, or its header is damaged; or a library that
  ///   the format needs is missing.
  public init(of bytes: [UInt8]) throws(ApusError) {
    try self.init(of: bytes, libraries: .installed)
  }

  /// What `bytes` say, the content of a file, which is not kept.
  public init(of bytes: UnsafeRawBufferPointer) throws(ApusError) {
    try self.init(of: bytes, libraries: .installed)
  }

  /// The same with libraries that the caller chooses.
  package init(of bytes: [UInt8], libraries: PictureLibraries) throws(ApusError) {
    let outcome = bytes.withUnsafeBytes { buffer in
      Result { () throws(ApusError) in try PictureMetadata(of: buffer, libraries: libraries) }
    }
    self = try outcome.get()
  }

  private init(of bytes: UnsafeRawBufferPointer, libraries: PictureLibraries) throws(ApusError) {
    guard let format = ImageFormat(sniffing: bytes) else { throw ImageFormat.refusal(of: bytes) }
    self.init(try PictureHeader(of: bytes, format, libraries), format)
  }

  init(_ header: PictureHeader, _ format: ImageFormat) {
    let swaps = header.orientation.swapsSides
    self.format = format
    width = swaps ? header.height : header.width
    height = swaps ? header.width : header.height
    orientation = header.orientation
    taken = header.exif.taken
    make = header.exif.make
    model = header.exif.model
    lens = header.exif.lens
    place = header.exif.place
  }
}
