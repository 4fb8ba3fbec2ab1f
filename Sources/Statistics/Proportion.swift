/// How many of so many, with Wilson's score interval for the rate behind it.
public struct Proportion: Sendable, Hashable {
  /// How many, from 0 to ``count``.
  public let successes: Int
  /// Of how many.
  public let count: Int
  /// How many of them tell as much as one that stands alone, where some are copies of others; 1 where none is.
  public let designEffect: Double

  /// - Parameters:
  ///   - successes: from 0 to `count`.
  ///   - count: at least 0.
  ///   - designEffect: at least 1.
  package init(_ successes: Int, of count: Int, designEffect: Double = 1) {
    self.successes = successes
    self.count = count
    self.designEffect = designEffect
  }

  /// The share, from 0 to 1; 0 of nothing.
  public var value: Double { count > 0 ? Double(successes) / Double(count) : 0 }

  /// The 95 % interval (Wilson 1927): unlike the normal one it stays within 0 and 1 and is not empty at either
  /// end. Of nothing it is everything. Where samples are copies of others, of as many as they tell as much as (Rao and
  /// Scott 1992).
  public var interval: Interval {
    guard count > 0 else { return Interval(lower: 0, upper: 1) }
    let n = Double(count) / designEffect
    let z = NormalDistribution.reach(0.95)
    let z2 = z * z
    let centre = (value + z2 / (2 * n)) / (1 + z2 / n)
    let half = z / (1 + z2 / n) * (value * (1 - value) / n + z2 / (4 * n * n)).squareRoot()
    // At the ends the bound is 0 or 1 exactly, which rounding may miss.
    return Interval(
      lower: successes == 0 ? 0 : max(0, centre - half), upper: successes == count ? 1 : min(1, centre + half)
    )
  }
}
