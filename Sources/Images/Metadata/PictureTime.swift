/// When a picture was taken, as the clock of the camera showed it.
public struct PictureTime: Sendable, Hashable, Codable {
  /// The date in the Gregorian calendar.
  public let year, month, day: Int
  /// The time of day; midnight where the file has a date alone.
  public let hour, minute, second: Int
  /// The part of a second that had passed; 0 where the file does not say.
  public let nanosecond: Int
  /// The seconds by which the clock was ahead of UTC, negative in the west; nil where the file does not say.
  public let zone: Int?

  /// The seconds since the first of January 1970 in UTC.
  /// - Parameter zone: the seconds that a clock is ahead of UTC whose zone the file does not say.
  public func secondsSince1970(zone otherwise: Int = 0) -> Double {
    let days = Self.days(year, month, day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return Double(seconds) - Double(zone ?? otherwise) + Double(nanosecond) / 1e9
  }

  /// A time as EXIF writes it, "2024:05:01 12:30:00".
  ///
  /// Other marks between the numbers, numbers of one digit, and a fraction and a zone behind them are read too: programs
  /// write them.
  /// - Parameters:
  ///   - fraction: the digits after the decimal point.
  ///   - zone: such as "+02:00".
  /// - Returns: nil when it is no time, as with zeros or spaces for a clock that was never set.
  init?(exif text: String, fraction: String? = nil, zone: String? = nil) {
    var reader = Reader(text)
    guard let year = reader.number(digits: 4), reader.skip(oneOf: ":-/."),
      let month = reader.number(digits: 2),
      reader.skip(oneOf: ":-/."), let day = reader.number(digits: 2), year > 0, (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    _ = reader.skip(oneOf: "T")
    var nanosecond: Int?
    if reader.isAtEnd {
      (hour, minute, second) = (0, 0, 0)
    } else {
      guard let hour = reader.number(digits: 2), reader.skip(oneOf: ":"),
        let minute = reader.number(digits: 2)
      else { return nil }
      var second = 0
      if reader.skip(oneOf: ":") {
        guard let number = reader.number(digits: 2) else { return nil }
        second = number
        if reader.skip(oneOf: ".,") { nanosecond = reader.fraction() }
      }
      guard hour < 24, minute < 60, second < 60 else { return nil }
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }
    let written = reader.zone()
    guard reader.isAtEnd else { return nil }
    self.nanosecond = nanosecond ?? fraction.flatMap(Self.nanoseconds) ?? 0
    self.zone = zone.flatMap(Self.zone) ?? written
  }

  private static func nanoseconds(_ text: String) -> Int? {
    var reader = Reader(text)
    let fraction = reader.fraction()
    return reader.isAtEnd ? fraction : nil
  }

  private static func zone(_ text: String) -> Int? {
    var reader = Reader(text)
    let zone = reader.zone()
    return reader.isAtEnd ? zone : nil
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// The days from the first of January 1970. Years begin in March here, so that the day of a leap year is their last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let march = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    // 719468 days from March of the year 0 to 1970.
    return march * 365 + march / 4 - march / 100 + march / 400 + dayOfYear - 719_468
  }

  /// Reads numbers and marks from the front of a text; spaces before them do not count.
  private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

    private mutating func skipSpaces() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    mutating func skip(oneOf marks: String) -> Bool {
      skipSpaces()
      guard let first = rest.first, marks.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func digits(_ limit: Int) -> Substring.UTF8View {
      skipSpaces()
      let digits = rest.prefix(limit).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest[digits.endIndex...]
      return digits
    }

    mutating func number(digits limit: Int) -> Int? { Int(Substring(digits(limit))) }

    /// Digits after a decimal point, as billionths; those from the tenth on are passed over.
    mutating func fraction() -> Int? {
      let digits = Substring(digits(rest.count)).prefix(9)
      guard !digits.isEmpty else { return nil }
      return Int(digits + String(repeating: "0", count: 9 - digits.count))
    }

    /// "Z", "+02:00", "-0330" or "+2".
    mutating func zone() -> Int? {
      if skip(oneOf: "Zz") { return 0 }
      let isWest = skip(oneOf: "-")
      guard isWest || skip(oneOf: "+"), let hours = number(digits: 2) else { return nil }
      _ = skip(oneOf: ":")
      let minutes = number(digits: 2) ?? 0
      guard hours <= 14, minutes < 60 else { return nil }
      return (isWest ? -60 : 60) * (hours * 60 + minutes)
    }
  }
}
