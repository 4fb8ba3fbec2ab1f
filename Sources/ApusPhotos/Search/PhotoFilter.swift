import Apus

/// The photographs that a search considers; a condition that is nil excludes none.
public struct PhotoFilter: Sendable, Hashable {
  /// A circle on the globe.
  public struct Circle: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Of the radius.
    public var kilometres: Double

    /// A circle on the globe.
    public init(latitude: Double, longitude: Double, kilometres: Double) {
      (self.latitude, self.longitude, self.kilometres) = (latitude, longitude, kilometres)
    }
  }

  /// Taken then or later, by the clock of the camera; where a file does not say, when it was written.
  public var since: PhotoDate?
  /// Taken before the end of this day, month or year.
  public var until: PhotoDate?
  /// Folders, in one of which a photograph lies.
  public var folders: [String]
  /// Whether ``folders`` may lead to folders of the index over links. Else they are compared as they are written, and the
  /// system is asked about none: what others name cannot make it look anywhere.
  public var followsLinks: Bool
  /// A part of the name of the camera, in letters of any case.
  public var camera: String?
  /// Where a photograph was taken; those that do not say are left out.
  public var near: Circle?
  /// The least number of pixels.
  public var pixels: Int?
  /// The least size of a file, in bytes.
  public var byteCount: Int?
  /// Formats, one of which a photograph has.
  public var formats: Set<ImageFormat>

  /// Every photograph, but for what is given.
  public init(
    since: PhotoDate? = nil, until: PhotoDate? = nil, folders: [String] = [], followsLinks: Bool = true,
    camera: String? = nil, near: Circle? = nil, pixels: Int? = nil, byteCount: Int? = nil,
    formats: Set<ImageFormat> = []
  ) {
    (self.since, self.until, self.folders, self.camera) = (since, until, folders, camera)
    self.followsLinks = followsLinks
    (self.near, self.pixels, self.byteCount, self.formats) = (near, pixels, byteCount, formats)
  }

  /// Whether every photograph passes.
  public var isEmpty: Bool {
    var plain = self
    plain.followsLinks = true
    return plain == PhotoFilter()
  }
}
