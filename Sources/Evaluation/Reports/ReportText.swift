import CLibrary
import HTMLReport
import Statistics
import TensorCore

/// Figures of a comparison in words.
enum ReportText {
  /// A difference of shares in percentage points without its sign; with more decimals where one would hide it.
  static func magnitude(_ difference: Double) -> String {
    NumberText.decimal(abs(difference) * 100, decimals(difference))
  }

  /// The same with its sign.
  static func points(_ difference: Double) -> String {
    NumberText.points(difference, decimals(difference))
  }

  /// Decimals of a difference in points: one, and more where it would look like none.
  static func decimals(_ difference: Double) -> Int {
    (1..<5).first { abs(difference) * 100 * pow(10, Double($0)) >= 0.5 } ?? (difference == 0 ? 1 : 5)
  }

  /// `1 point`, `0.5 points`.
  static func amount(_ share: Double) -> String {
    let digits = (100 * share).printed("%.\(decimals(share))f")
    let text = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    return "\(text) \(text == "1" ? "point" : "points")"
  }

  /// `95 %`, `98.3 %`.
  static func confidence(_ share: Double) -> String {
    NumberText.percent(share, abs(share * 100 - (share * 100).rounded()) < 0.05 ? 0 : 1)
  }

  /// `−3.3 to +2.0`.
  static func points(_ interval: Interval) -> String {
    "\(points(interval.lower)) to \(points(interval.upper))"
  }

  /// `67.7–82.1 %`.
  static func percent(_ interval: Interval) -> String {
    "\(NumberText.decimal(interval.lower * 100, 1))–\(NumberText.percent(interval.upper))"
  }

  static func range(_ interval: Interval, scale: Double = 100) -> ClosedRange<Double>? {
    guard interval.lower <= interval.upper else { return nil }
    return interval.lower * scale...interval.upper * scale
  }

  /// How a quantity that had better be small compares: `2.1 times faster`, `12 % slower`, `as fast`.
  /// - Parameter ratio: the baseline's over the other's.
  static func comparison(_ ratio: Double, less: String, more: String, same: String) -> String {
    guard ratio.isFinite, ratio > 0 else { return same }
    let factor = max(ratio, 1 / ratio)
    let word = ratio > 1 ? less : more
    if factor < 1.03 { return same }
    if factor >= 1.5 { return "\(NumberText.decimal(factor, factor >= 9.95 ? 0 : 1)) times \(word)" }
    return "\(NumberText.percent(share(of: factor, isLess: ratio > 1, word), 0)) \(word)"
  }

  /// What is smaller lost a share of the old size; what is larger, faster or slower gained one.
  private static func share(of factor: Double, isLess: Bool, _ word: String) -> Double {
    isLess && word == "smaller" ? 1 - 1 / factor : factor - 1
  }

  /// `If both were equally good, 5 answers that only one has right would split at least this unevenly in 38 of 100 cases.` Nil
  /// where ``PairedAccuracy/chanceOfSplit`` is.
  static func split(_ accuracy: PairedAccuracy) -> String? {
    accuracy.chanceOfSplit.map {
      """
      If both were equally good, \(NumberText.count(accuracy.onlyOneRight, "answer")) that only one has right would split at \
      least this unevenly \(frequency($0)).
      """
    }
  }

  /// What follows where McNemar's test finds a difference in so few answers that the exact count of splits finds none; nil
  /// where they agree.
  /// - Parameter test: how the sentence calls McNemar's.
  static func doubt(_ accuracy: PairedAccuracy, by test: String) -> String? {
    guard accuracy.isSignificant, accuracy.comparisons == 1, accuracy.chanceOfSplit ?? 0 >= 0.05 else {
      return nil
    }
    return """
      By \(test), to which the interval belongs, that is beyond chance; by the count of splits it is not. More samples would tell.
      """
  }

  /// A probability in whole cases.
  private static func frequency(_ chance: Double) -> String {
    if chance >= 1 { return "always" }
    if chance >= 0.995 { return "nearly always" }
    if chance >= 0.01 { return "in \(NumberText.decimal(chance * 100, 0)) of 100 cases" }
    if chance >= 0.001 { return "in \(NumberText.decimal(chance * 1000, 0)) of 1000 cases" }
    return "in fewer than one of 1000 cases"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }
}
