extension PictureTime {
  /// A time as EXIF writes it, "2024:05:01 12:30:00".
  ///
  /// Other marks between the numbers, numbers of one digit, and a fraction and a zone behind them are read too: programs
  /// write them.
  /// - Parameters:
  ///   - fraction: the digits after the decimal point.
  ///   - zone: such as "+02:00".
  /// - Returns: nil when it is no time, as with zeros or spaces for a clock that was never set.
  init?(exif text: String, fraction: String? = nil, zone: String? = nil) {
    var reader = TimeReader(text)
    guard let year = reader.number(digits: 4), reader.skip(oneOf: ":-/."),
      let month = reader.number(digits: 2), reader.skip(oneOf: ":-/."), let day = reader.number(digits: 2)
    else { return nil }
    _ = reader.skip(oneOf: "T")
    var hour = 0, minute = 0, second = 0
    var nanosecond: Int?
    if !reader.isAtEnd {
      guard let hours = reader.number(digits: 2), reader.skip(oneOf: ":"),
        let minutes = reader.number(digits: 2)
      else { return nil }
      (hour, minute) = (hours, minutes)
      if reader.skip(oneOf: ":") {
        guard let seconds = reader.number(digits: 2) else { return nil }
        second = seconds
        if reader.skip(oneOf: ".,") { nanosecond = reader.fraction() }
      }
    }
    let written = reader.zone()
    guard reader.isAtEnd else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond ?? fraction.flatMap { TimeReader.whole($0) { $0.fraction() } } ?? 0,
      zone: zone.flatMap { TimeReader.whole($0) { $0.zone() } } ?? written)
  }
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
