import CLibrary
import Images

/// Facts about a picture that need no model.
struct PictureFacts: Sendable, Hashable {
  /// The format's name, as `JPEG`.
  var format: String?
  /// Pixels of the picture turned upright.
  var width: Int?
  var height: Int?
  /// When it was taken, in seconds from 1970 to what the clock of the camera showed, as if that were UTC.
  var takenAt: Int?
  /// Seconds by which that clock was ahead of UTC; nil where its file does not say.
  var zone: Int?
  var camera: String?
  /// Degrees north.
  var latitude: Double?
  /// Degrees east.
  var longitude: Double?
  /// The ``PerceptualHash``.
  var hash: UInt64?

  /// Nothing.
  init() {}

  init(_ metadata: PictureMetadata) {
    format = metadata.format.rawValue
    (width, height) = (metadata.width, metadata.height)
    takenAt = metadata.taken?.clockSeconds
    zone = metadata.taken?.zone
    camera = metadata.camera
    (latitude, longitude) = (metadata.place?.latitude, metadata.place?.longitude)
  }

  /// Of a raw photograph, as wide and high as the JPEG in it.
  init(_ raw: RawPicture) {
    self.init(raw.metadata)
    format = raw.name
  }

  /// Takes what a picture does not say from what Takeout wrote beside it. Of its time the zone is not known: the clock is this
  /// computer's, as it is of files.
  mutating func complete(besides path: String) {
    guard takenAt == nil || latitude == nil, let record = TakeoutRecord(of: path) else { return }
    if takenAt == nil, let taken = record.taken {
      var (time, local) = (time_t(taken), tm())
      let offset = localtime_r(&time, &local) == nil ? 0 : Int(local.tm_gmtoff)
      (takenAt, zone) = (taken + offset, offset)
    }
    if latitude == nil, let place = record.place {
      (latitude, longitude) = (place.latitude, place.longitude)
    }
  }
}
