import CLibrary
import HTMLReport
import TensorCore

/// Moments as pages have them.
enum MomentText {
  /// `2026-11-22 19:05:31 UTC` of seconds since 1970; a dash for what is no moment of the years 1970 to 9999.
  static func utc(_ seconds: Double) -> String {
    guard (0..<253_402_300_800).contains(seconds) else { return "–" }
    var time = time_t(seconds), parts = tm()
    gmtime_r(&time, &parts)
    func digits(_ number: Int32) -> String { Double(number).printed("%02.0f") }
    let day = "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    return "\(day) \(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec)) UTC"
  }

  /// `1 h 12 min`, `12 min 5 s` of a number of seconds.
  static func span(_ seconds: Double) -> String {
    guard (60..<1e9).contains(seconds) else { return NumberText.duration(seconds: seconds) }
    let total = Int(seconds)
    let parts = [
      (total / 86_400, "d"), (total / 3600 % 24, "h"), (total / 60 % 60, "min"), (total % 60, "s"),
    ]
    return parts.drop { $0.0 == 0 }.prefix(2).map { "\($0.0)\(NumberText.space)\($0.1)" }.joined(
      separator: " ")
  }
}
