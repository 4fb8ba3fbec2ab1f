import CLibrary
import TensorCore

/// A year, a month, a day, or a moment of one, by the clock that it was read from.
public struct PhotoDate: Sendable, Hashable {
  /// Its first second, counted from 1970 as if the clock showed UTC.
  public let start: Int
  /// The first second behind it.
  public let end: Int

  /// - Parameter text: `2019`, `2019-05`, `2019-05-31`, or a moment such as `2019-05-31T18:30` or `2019-05-31 18:30:15`.
  /// - Throws: ``ApusError`` of kind `argument` for another text, or a day that there is not.
  public init(_ text: String) throws(ApusError) {
    guard let (start, end) = Self.range(text) else {
      throw ApusError(
        .argument, "'\(text)' is no date", expected: "a year, 2019-05, 2019-05-31 or 2019-05-31T18:30")
    }
    (self.start, self.end) = (start, end)
  }

  private static func range(_ text: String) -> (Int, Int)? {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard let first = halves.first, let date = numbers(first, "-"), (1...3).contains(date.count) else {
      return nil
    }
    let time = halves.count > 1 ? numbers(halves[1], ":") : []
    guard let time, time.isEmpty || (date.count == 3 && (2...3).contains(time.count)) else { return nil }
    let parts = date + time
    guard let start = seconds(parts) else { return nil }
    if parts.count > 3 { return (start, start + (parts.count == 5 ? 60 : 1)) }
    var next = parts
    next[next.count - 1] += 1
    // The C library carries what is over: the 32nd of May is the first of June.
    return seconds(next, isChecked: false).map { (start, $0) }
  }

  private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 4 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }

  /// - Parameter isChecked: whether it must be a moment that there is.
  private static func seconds(_ parts: [Int], isChecked: Bool = true) -> Int? {
    let all = parts + [0, 1, 1, 0, 0, 0][parts.count...]
    guard (1...9999).contains(all[0]) || !isChecked else { return nil }
    var moment = tm()
    moment.tm_year = Int32(all[0] - 1900)
    moment.tm_mon = Int32(all[1] - 1)
    (moment.tm_mday, moment.tm_hour, moment.tm_min, moment.tm_sec) = (
      Int32(all[2]), Int32(all[3]), Int32(all[4]), Int32(all[5])
    )
    let given = moment
    let seconds = timegm(&moment)
    let isSame =
      given.tm_mon == moment.tm_mon && given.tm_mday == moment.tm_mday && given.tm_hour == moment.tm_hour
      && given.tm_min == moment.tm_min && given.tm_sec == moment.tm_sec
    return isSame || !isChecked ? seconds : nil
  }

  /// The moment of so many seconds, as `2019-05-31 18:30:15`; nil where no calendar has it.
  static func text(_ seconds: Int) -> String? {
    var (time, moment) = (time_t(seconds), tm())
    guard gmtime_r(&time, &moment) != nil else { return nil }
    func padded(_ number: Int32, _ width: Int = 2) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = [padded(moment.tm_year &+ 1900, 4), padded(moment.tm_mon + 1), padded(moment.tm_mday)]
    let clock = [padded(moment.tm_hour), padded(moment.tm_min), padded(moment.tm_sec)]
    return date.joined(separator: "-") + " " + clock.joined(separator: ":")
  }
}
