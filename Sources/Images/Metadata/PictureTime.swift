/// When a picture was taken, as the clock of the camera showed it.
public struct PictureTime: Sendable, Hashable {
  /// The date in the Gregorian calendar.
  public let year, month, day: Int
  /// The time of day; midnight where the file has a date alone.
  public let hour, minute, second: Int
  /// The part of a second that had passed; 0 where the file does not say.
  public let nanosecond: Int
  /// The seconds by which the clock was ahead of UTC, negative in the west; nil where the file does not say.
  public let zone: Int?

  /// - Parameter zone: the seconds by which the clock was ahead of UTC, less than a day.
  /// - Returns: nil when there is no such time, or the year is not one of 1 to 9999.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
    zone: Int? = nil
  ) {
    let sound =
      (1...9999).contains(year) && (1...12).contains(month)
      && (1...Self.days(in: month, of: year)).contains(day)
      && (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
      && (0..<1_000_000_000).contains(nanosecond) && (-86_399...86_399).contains(zone ?? 0)
    guard sound else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
    self.zone = zone
  }

  /// The seconds since the first of January 1970 in UTC.
  /// - Parameter zone: the seconds that a clock is ahead of UTC whose zone the file does not say.
  public func secondsSince1970(zone otherwise: Int = 0) -> Double {
    Double(clockSeconds) - Double(zone ?? otherwise) + Double(nanosecond) / 1e9
  }

  /// The whole seconds from 1970 to what the clock showed, as if that were UTC.
  package var clockSeconds: Int {
    ((Self.days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from the first of January 1970. Years begin in March here, so that the day of a leap year is their last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let march = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    // 719468 days from March of the year 0 to 1970.
    return march * 365 + march / 4 - march / 100 + march / 400 + dayOfYear - 719_468
  }
}

extension PictureTime: Codable {
  private enum CodingKeys: CodingKey { case year, month, day, hour, minute, second, nanosecond, zone }

  /// - Throws: `DecodingError` when there is no such time.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Int { try values.decode(Int.self, forKey: key) }
    let time = PictureTime(
      year: try number(.year), month: try number(.month), day: try number(.day), hour: try number(.hour),
      minute: try number(.minute), second: try number(.second), nanosecond: try number(.nanosecond),
      zone: try values.decodeIfPresent(Int.self, forKey: .zone))
    guard let time else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "there is no such time"))
    }
    self = time
  }
}
