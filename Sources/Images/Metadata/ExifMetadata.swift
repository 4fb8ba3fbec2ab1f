/// EXIF data of a picture, and its time in XMP where EXIF has none. What is missing or makes no sense is nil, whatever the
/// rest is.
struct ExifMetadata {
  private(set) var orientation: Orientation?
  private(set) var taken: PictureTime?
  private(set) var make: String?
  private(set) var model: String?
  private(set) var lens: String?
  private(set) var place: PicturePlace?

  /// Nothing.
  init() {}

  /// What a file has embedded: EXIF data from its byte order on, and an XMP packet.
  init(_ embedded: EmbeddedMetadata) {
    let xmp = embedded.xmp.map { XMPTimes($0) }
    self = embedded.exif?.withUnsafeBytes { ExifMetadata(in: $0, xmp) } ?? ExifMetadata()
    taken = taken ?? xmp?.taken ?? xmp?.digitized
  }

  /// What a TIFF file says, which may have an XMP packet of its own, or EXIF data.
  /// - Parameter xmp: the times of a packet beside the data.
  init(in tiff: UnsafeRawBufferPointer, _ xmp: XMPTimes? = nil) {
    guard let picture = TIFFDirectory(in: tiff) else {
      self.init()
      return
    }
    let xmp = xmp ?? picture.bytes(Tag.packet).map { XMPTimes($0) }
    self.init(
      picture: picture, details: picture.directory(Tag.details), place: picture.directory(Tag.place), xmp)
  }

  /// What directories say, wherever they lie.
  init(picture: TIFFDirectory, details: TIFFDirectory?, place: TIFFDirectory?, _ xmp: XMPTimes? = nil) {
    orientation = picture.integer(Self.orientationTag).flatMap(Orientation.init)
    make = picture.text(Tag.make)
    model = picture.text(Tag.model)
    lens = details?.text(Tag.lens)
    self.place = place.flatMap(PicturePlace.init)
    taken = Self.time(picture, details, xmp)
  }

  /// The same with what another says where this says nothing.
  func completed(by other: ExifMetadata) -> ExifMetadata {
    var whole = self
    whole.taken = taken ?? other.taken
    whole.place = place ?? other.place
    if model == nil { (whole.make, whole.model) = (other.make, other.model) }
    whole.lens = lens ?? other.lens
    return whole
  }

  /// When the picture was taken; where that is not said, when it was digitized, or else written. Of each EXIF goes before XMP.
  private static func time(
    _ picture: TIFFDirectory, _ details: TIFFDirectory?, _ xmp: XMPTimes?
  ) -> PictureTime? {
    func time(_ tags: TimeTags, in directory: TIFFDirectory?) -> PictureTime? {
      directory?.text(tags.time).flatMap {
        PictureTime(exif: $0, fraction: details?.text(tags.fraction), zone: details?.text(tags.zone))
      }
    }
    return time(.taken, in: details) ?? xmp?.taken ?? time(.digitized, in: details) ?? xmp?.digitized
      ?? time(.written, in: picture)
  }

  /// The tags of one time: itself, the digits after its decimal point, and its zone.
  private struct TimeTags {
    let time, fraction, zone: Int
    static let taken = TimeTags(time: 0x9003, fraction: 0x9291, zone: 0x9011)
    static let digitized = TimeTags(time: 0x9004, fraction: 0x9292, zone: 0x9012)
    static let written = TimeTags(time: 0x0132, fraction: 0x9290, zone: 0x9010)
  }

  fileprivate static let orientationTag = 0x0112

  /// Tags of the first directory, and `lens` of that of details.
  private enum Tag {
    static let make = 0x010F
    static let model = 0x0110
    static let packet = 0x02BC
    static let details = 0x8769
    static let place = 0x8825
    static let lens = 0xA434
  }
}

extension Orientation {
  /// What EXIF data states; upright when there is none, or it states nothing valid.
  init(exif: [UInt8]?) {
    let stated = exif?.withUnsafeBytes { TIFFDirectory(in: $0)?.integer(ExifMetadata.orientationTag) }
    self = stated.flatMap(Orientation.init) ?? .upright
  }
}
