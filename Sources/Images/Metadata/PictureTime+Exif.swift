extension PictureTime {
  /// A time as EXIF writes it, "2024:05:01 12:30:00".
  ///
  /// Other marks between the numbers, numbers of one digit, and a fraction and a zone behind them are read too: programs
  /// write them. So are the hour 24 for the one after midnight of that day, as Java's pattern `kk` writes it, a leap second,
  /// as the one before it, and "pm". A day whose clock makes no sense is that day, at midnight.
  /// - Parameters:
  ///   - fraction: the digits after the decimal point.
  ///   - zone: such as "+02:00".
  /// - Returns: nil when it is no day, as with zeros or spaces for a clock that was never set.
  init?(exif text: String, fraction: String? = nil, zone: String? = nil) {
    var reader = TimeReader(text)
    guard let year = reader.number(digits: 4), reader.skip(oneOf: ":-/."),
      let month = reader.number(digits: 2), reader.skip(oneOf: ":-/."), let day = reader.number(digits: 2),
      reader.isAtWordEnd
    else { return nil }
    _ = reader.skip(oneOf: "Tt")
    var clock = ClockTime(), written: Int?
    if !reader.isAtEnd, let read = reader.clock() { (clock, written) = read }
    self.init(
      year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second,
      nanosecond: clock.nanosecond ?? fraction.flatMap { TimeReader.whole($0) { $0.fraction() } } ?? 0,
      zone: zone.flatMap { TimeReader.whole($0) { $0.zone() } } ?? written)
  }
}

/// A time of day; midnight unless it says otherwise.
private struct ClockTime {
  var hour = 0, minute = 0, second = 0
  /// nil where there is no fraction of a second.
  var nanosecond: Int?
}

/// Reads numbers and marks from the front of a text; spaces before them do not count.
private struct TimeReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  /// What a text is, when there is nothing else in it.
  static func whole(_ text: String, _ read: (inout TimeReader) -> Int?) -> Int? {
    var reader = TimeReader(text)
    let value = read(&reader)
    return reader.isAtEnd ? value : nil
  }

  var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

  /// Whether no other letter or digit follows what was read, but for the "T" before a clock and the zone behind it.
  var isAtWordEnd: Bool {
    guard let next = rest.first else { return true }
    return " Tt+-Zz".utf8.contains(next)
  }

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

  /// A time of day and the zone behind it, up to the end; nil where there is none, or something else.
  mutating func clock() -> (ClockTime, zone: Int?)? {
    guard let hours = number(digits: 2), skip(oneOf: ":"), let minutes = number(digits: 2) else { return nil }
    var time = ClockTime(hour: hours, minute: minutes)
    if skip(oneOf: ":") {
      guard let seconds = number(digits: 2) else { return nil }
      time.second = seconds
      if skip(oneOf: ".,") { time.nanosecond = fraction() }
    }
    let half = halfOfDay()
    let zone = zone()
    guard isAtEnd, (0...24).contains(time.hour), time.minute < 60, time.second <= 60 else { return nil }
    if let half, (1...12).contains(time.hour) { time.hour = time.hour % 12 + half }
    if time.hour == 24 { time.hour = 0 }
    time.second = min(time.second, 59)
    return (time, zone)
  }

  /// 0 hours for "am", 12 for "pm".
  private mutating func halfOfDay() -> Int? {
    skipSpaces()
    let letters = rest.prefix(2).map { $0 | 0x20 }
    guard letters.count == 2, letters[1] == UInt8(ascii: "m"),
      letters[0] == UInt8(ascii: "a") || letters[0] == UInt8(ascii: "p")
    else { return nil }
    rest = rest.dropFirst(2)
    return letters[0] == UInt8(ascii: "a") ? 0 : 12
  }

  /// "Z", "+02:00", "-0330" or "+2", in seconds.
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
