import Formats
import TensorCore

/// What can be seen of a raw photograph without developing it: the largest JPEG that its camera put into the file.
package struct RawPicture: Sendable {
  /// The format, such as NEF.
  package let name: String
  /// The JPEG.
  package let jpeg: [UInt8]
  /// Of the photograph; its sides are those of the JPEG.
  package let metadata: PictureMetadata
  /// What makes a decoded JPEG upright that says nothing of it itself.
  private let orientation: Orientation

  /// - Returns: nil for bytes that are no raw photograph.
  /// - Throws: ``ApusError`` of kind `image` for a raw photograph without a JPEG that can be read.
  package init?(in bytes: [UInt8]) throws(ApusError) {
    guard let name = bytes.withUnsafeBytes({ RawPhotograph.name(of: $0) }) else { return nil }
    guard let embedded = RawContainer.largestJPEG(in: bytes) else {
      throw ApusError(
        .image, "a raw photograph (\(name)) without a JPEG in it that can be read",
        expected: "a developed picture",
        advice: "Export it as JPEG, PNG or TIFF.")
    }
    (self.name, jpeg) = (name, Array(bytes[embedded.range]))
    let whole = Self.exif(of: bytes)
    let outcome = jpeg.withUnsafeBytes { jpeg in
      Result { () throws(ApusError) in try JPEGDecoder.header(of: jpeg) }
    }
    let header = try outcome.get()
    let stated = header.exif.orientation
    orientation = stated == nil ? embedded.orientation.flatMap(Orientation.init) ?? .upright : .upright
    metadata = PictureMetadata(
      PictureHeader(
        width: header.width, height: header.height, orientation: stated ?? orientation,
        exif: whole.completed(by: header.exif)), .jpeg)
  }

  /// What the file says outside of its JPEG.
  private static func exif(of bytes: [UInt8]) -> ExifMetadata {
    bytes.withUnsafeBytes { file in
      guard let boxes = CanonBoxes(bytes) else { return ExifMetadata(in: file) }
      let parts = [boxes.picture, boxes.details, boxes.place].map { part in
        part.flatMap { TIFFDirectory(in: UnsafeRawBufferPointer(rebasing: file[$0])) }
      }
      return parts[0].map { ExifMetadata(picture: $0, details: parts[1], place: parts[2]) } ?? ExifMetadata()
    }
  }

  /// A decoded JPEG as it is seen.
  package func upright(_ image: RGBImage) -> RGBImage { orientation.applied(to: image) }
}
