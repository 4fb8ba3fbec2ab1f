/// Where a picture was taken.
public struct PicturePlace: Sendable, Hashable {
  /// Degrees, from −90 in the south to 90 in the north.
  public let latitude: Double
  /// Degrees, from −180 in the west to 180 in the east.
  public let longitude: Double
  /// Metres above the sea, negative below it; nil where the file does not say.
  public let altitude: Double?

  /// - Returns: nil when the degrees are not on the globe.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
  }

  /// What the directory of GPS tags says.
  /// - Returns: nil when a part of both angles is missing or has no value, and at 0° N 0° E, which devices write that do
  ///   not know where they are.
  init?(_ directory: TIFFDirectory) {
    guard let latitude = Self.degrees(directory, angle: 2, letter: 1, "N", "S"),
      let longitude = Self.degrees(directory, angle: 4, letter: 3, "E", "W"), latitude != 0 || longitude != 0
    else { return nil }
    // The reference is even above and odd below.
    let isBelow = (directory.byte(5) ?? 0) % 2 == 1
    let altitude = directory.numbers(6)?.first.map { isBelow ? -$0 : $0 }
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  /// An angle of degrees, minutes and seconds, of which the last may be missing.
  private static func degrees(
    _ directory: TIFFDirectory, angle: Int, letter: Int, _ positive: Character, _ negative: Character
  ) -> Double? {
    guard let parts = directory.numbers(angle), let first = directory.text(letter)?.uppercased().first,
      first == positive || first == negative
    else { return nil }
    let degrees = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    return first == positive ? degrees : -abs(degrees)
  }
}

extension PicturePlace: Codable {
  private enum CodingKeys: CodingKey { case latitude, longitude, altitude }

  /// - Throws: `DecodingError` when the degrees are not on the globe.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let place = PicturePlace(
      latitude: try values.decode(Double.self, forKey: .latitude),
      longitude: try values.decode(Double.self, forKey: .longitude),
      altitude: try values.decodeIfPresent(Double.self, forKey: .altitude))
    guard let place else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "there is no such place"))
    }
    self = place
  }
}
