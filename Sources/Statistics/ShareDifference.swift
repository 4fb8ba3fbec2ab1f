/// The difference of two shares, each among its own part of the same samples: of right answers among those that each of two
/// models is certain of.
public struct ShareDifference: Sendable, Hashable {
  /// The second's share less the first's, from -1 to 1.
  public let value: Double
  /// The 95 % interval: made of Wilson's intervals of both, and of how far the two go together (MOVER; Zou and Donner, "Construction
  /// of confidence limits about effect measures", Statistics in Medicine 27, 2008).
  public let interval: Interval

  /// - Parameters:
  ///   - first: of each sample whether it counts as a success; nil where it is not in the first's part.
  ///   - second: the same of the second.
  ///   - groups: the group of each sample, numbered from 0 without gaps; nil where each stands alone.
  /// - Returns: nil where one of the parts is empty.
  package init?(_ first: [Bool?], _ second: [Bool?], groups: [Int]? = nil) {
    let (a, b) = (Self.share(first, groups), Self.share(second, groups))
    guard a.count > 0, b.count > 0 else { return nil }
    value = b.value - a.value
    let correlation = Self.correlation(
      Self.influences(first, a.value, groups), Self.influences(second, b.value, groups))
    func reach(_ one: Double, _ other: Double) -> Double {
      max(0, one * one + other * other - 2 * correlation * one * other).squareRoot()
    }
    let (c, d) = (a.interval, b.interval)
    interval = Interval(
      lower: max(-1, value - reach(b.value - d.lower, c.upper - a.value)),
      upper: min(1, value + reach(d.upper - b.value, a.value - c.lower)))
  }

  /// The share of successes among the samples of a part.
  package static func share(_ values: [Bool?], _ groups: [Int]?) -> Proportion {
    let members = values.indices.filter { values[$0] != nil }
    let successes = members.count { values[$0] == true }
    guard let groups else { return Proportion(successes, of: members.count) }
    let numbers = values.map { $0 == true ? 1.0 : 0 }
    return Proportion(
      successes, of: members.count, designEffect: DesignEffect.of(numbers, groups: groups, among: members))
  }

  /// How far each sample, or group, moves a share.
  private static func influences(_ values: [Bool?], _ share: Double, _ groups: [Int]?) -> [Double] {
    let single = values.map { $0.map { ($0 ? 1 : 0) - share } ?? 0 }
    guard let groups else { return single }
    var sums = [Double](repeating: 0, count: (groups.max() ?? -1) + 1)
    for (group, value) in zip(groups, single) { sums[group] += value }
    return sums
  }

  private static func correlation(_ first: [Double], _ second: [Double]) -> Double {
    func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    let size = (product(first, first) * product(second, second)).squareRoot()
    return size > 0 ? product(first, second) / size : 0
  }
}
