/// Dates and times as ISO 8601 writes them.
enum CalendarTime {
  /// `2024-02-29T23:59:59` and the like, without the zone, for seconds since 1970. Years are of the Gregorian calendar throughout.
  static func text(_ seconds: Int64) -> String {
    // Some five million years to either side: no time of a photograph is beyond, and no sum overflows.
    let seconds = Int(min(max(seconds, -1 << 47), 1 << 47))
    let (days, second) = floored(seconds, 86_400)
    let (year, month, day) = date(days)
    let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)"
  }

  /// The date so many days after the first of January 1970, by counting years from March in cycles of 400
  /// (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floored(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + 400 * era + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func floored(_ number: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let rest = ((number % divisor) + divisor) % divisor
    return ((number - rest) / divisor, rest)
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(abs(number))
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
