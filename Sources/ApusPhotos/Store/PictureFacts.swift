import Images

/// What is known of a picture without a model.
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
}
