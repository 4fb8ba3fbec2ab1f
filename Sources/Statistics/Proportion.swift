/// How many of so many, with Wilson's score interval for the rate behind it.
public struct Proportion: Sendable, Hashable {
  /// How many, from 0 to ``count``.
  public let successes: Int
  /// Of how many.
  public let count: Int

  /// The two-sided 95 % quantile of the normal distribution.
  static let z = 1.959963984540054

  /// - Parameters:
  ///   - successes: from 0 to `count`.
  ///   - count: at least 0.
  package init(_ successes: Int, of count: Int) {
    self.successes = successes
    self.count = count
  }

  /// The share, from 0 to 1; 0 of nothing.
  public var value: Double { count > 0 ? Double(successes) / Double(count) : 0 }

  /// The 95 % interval (Wilson 1927): unlike the normal one it stays within 0 and 1 and is not empty at either
  /// end. Of nothing it is everything.
  public var interval: Interval {
    guard count > 0 else { return Interval(lower: 0, upper: 1) }
    let n = Double(count)
    let z2 = Self.z * Self.z
    let centre = (value + z2 / (2 * n)) / (1 + z2 / n)
    let half = Self.z / (1 + z2 / n) * (value * (1 - value) / n + z2 / (4 * n * n)).squareRoot()
    // At the ends the bound is 0 or 1 exactly, which rounding may miss.
    return Interval(
      lower: successes == 0 ? 0 : max(0, centre - half), upper: successes == count ? 1 : min(1, centre + half)
    )
  }
}
