/// An export's record of one photograph.
public struct ExportRecord: Sendable, Hashable {
  /// The path of the file, as Apus writes names: see `FileName` for those that are not UTF-8.
  public var path: String
  /// The digest of the file's bytes, in hexadecimal digits.
  public var digest: String
  /// Pixels in a row, upright.
  public var width: Int
  /// Rows, upright.
  public var height: Int
  /// When it was taken, in seconds since 1970 in universal time, or by the camera's clock.
  public var takenAt: Int64?
  /// Whether ``takenAt`` is by the camera's clock, as the picture does not say in which zone that was.
  public var isTakenByClock: Bool
  /// Maker and model.
  public var camera: String?
  /// Degrees north.
  public var latitude: Double?
  /// Degrees east.
  public var longitude: Double?
  /// The embedding, of unit length.
  public var vector: [Float]

  /// Creates a record of one photograph.
  public init(
    path: String, digest: String, width: Int, height: Int, takenAt: Int64? = nil,
    isTakenByClock: Bool = false,
    camera: String? = nil, latitude: Double? = nil, longitude: Double? = nil, vector: [Float]
  ) {
    (self.path, self.digest, self.width, self.height) = (path, digest, width, height)
    (self.takenAt, self.isTakenByClock, self.camera) = (takenAt, isTakenByClock, camera)
    (self.latitude, self.longitude) = (latitude, longitude)
    self.vector = vector
  }
}
