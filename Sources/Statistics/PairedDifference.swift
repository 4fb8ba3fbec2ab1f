import CLibrary

/// The difference of two shares of right answers to the same questions: its score interval and the test that belongs to
/// it.
///
/// The interval is Tango's ("Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design", Statistics in Medicine 17, 1998): all differences that the score test does not refuse. At a
/// difference of 0 that test is McNemar's (1947) without corrections, so the interval leaves 0 out exactly where the
/// test's p is below what the interval leaves out. Neither the exact test nor its mid-p form has an interval with this
/// property, and an exact p beside any interval contradicts it for some counts. By Fagerland, Lydersen and Laake ("The
/// McNemar test for binary matched-pairs data", 2013) the score test keeps the level within 0.4 points where the exact
/// one stays far below it. Unlike a bootstrap it does not shrink to a point where nobody's answer changed.
package struct PairedDifference: Sendable, Hashable {
  /// Questions that only the first answered rightly. A fraction where answers that go together count less.
  package let onlyFirst: Double
  /// Questions that only the second answered rightly.
  package let onlySecond: Double
  /// All questions.
  package let count: Double

  /// - Parameters:
  ///   - onlyFirst: at least 0.
  ///   - onlySecond: at least 0.
  ///   - count: at least the sum of both.
  package init(onlyFirst: Double, onlySecond: Double, count: Double) {
    self.onlyFirst = onlyFirst
    self.onlySecond = onlySecond
    self.count = count
  }

  /// Of outcomes, each of which counts as `1 / designEffect` of one.
  /// - Parameter designEffect: as ``DesignEffect`` has it, at least 1.
  package init(_ outcomes: PairedOutcomes, designEffect: Double = 1) {
    self.init(
      onlyFirst: Double(outcomes.onlyFirst) / designEffect,
      onlySecond: Double(outcomes.onlySecond) / designEffect,
      count: Double(outcomes.count) / designEffect)
  }

  /// The second's share less the first's, from -1 to 1; 0 of nothing.
  package var value: Double { count > 0 ? (onlySecond - onlyFirst) / count : 0 }

  /// The score test's p that the true difference is 0: McNemar's (1947), two-sided; 1 where no answer changed.
  package var pValue: Double { NormalDistribution.twoSided(score(at: 0)) }

  /// The score: how many deviations ``value`` is above what is expected where `difference` is the true one.
  package func score(at difference: Double) -> Double {
    let distance = onlySecond - onlyFirst - count * difference
    let variance = count * variance(at: difference)
    guard variance > 0 else { return distance == 0 ? 0 : distance > 0 ? .infinity : -.infinity }
    return distance / variance.squareRoot()
  }

  /// The variance of one question's part of the difference, where `difference` is the true one and the rest as likely as
  /// it can be made.
  package func variance(at difference: Double) -> Double {
    max(0, 2 * losses(at: difference) + difference - difference * difference)
  }

  /// The 95 % interval, or that of another confidence, within -1 and 1. Of nothing it is everything.
  package func interval(confidence: Double = 0.95) -> Interval {
    guard count > 0 else { return Interval(lower: -1, upper: 1) }
    let reach = NormalDistribution.reach(confidence)
    return Interval(lower: end(from: -1, score: reach), upper: end(from: 1, score: -reach))
  }

  /// The difference between `limit` and ``value`` that has this score, which falls as the difference grows.
  private func end(from limit: Double, score wanted: Double) -> Double {
    // One of the two has a greater score than is wanted, the other a smaller one.
    var (smaller, greater) = limit < value ? (value, limit) : (limit, value)
    guard smaller != greater else { return limit }
    for _ in 0..<60 {
      let middle = (smaller + greater) / 2
      if score(at: middle) > wanted { greater = middle } else { smaller = middle }
    }
    return (smaller + greater) / 2
  }

  /// The share of questions that only the first answers rightly, as what was counted makes it most likely when
  /// `difference` is the true one: the greater root of a x² + b x + c.
  private func losses(at difference: Double) -> Double {
    let a = 2 * count
    let b = (2 * count - onlySecond + onlyFirst) * difference - onlyFirst - onlySecond
    let c = -onlyFirst * difference * (1 - difference)
    let root = max(0, b * b - 4 * a * c).squareRoot()
    // Of the two ways to write it, the one that subtracts no equal numbers.
    return b > 0 ? -2 * c / (b + root) : (root - b) / (2 * a)
  }
}
