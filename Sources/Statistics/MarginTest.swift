import CLibrary

/// Whether the second of two loses no more than a margin against the first, by the interval of their difference.
package enum MarginTest {
  /// The chance that ``samplesNeeded(_:margin:confidence:)`` are enough.
  package static let power = 0.8

  /// What an interval says of a margin.
  /// - Parameters:
  ///   - interval: of the second's share less the first's.
  ///   - margin: the greatest loss, above 0.
  package static func outcome(_ interval: Interval, margin: Double) -> MarginOutcome {
    if interval.lower > -margin { return .within }
    return interval.upper < -margin ? .beyond : .open
  }

  /// Samples with which the interval would probably lie on one side of the margin, if answers go on as they do: Nam
  /// ("Establishing equivalence of two treatments and sample size requirements in matched-pairs design", Biometrics 53,
  /// 1997), with a chance of 80 %. The variance at the margin is that of the score test, so that samples without changed
  /// answers have one too. At least as many as put the very interval on one side.
  /// - Returns: in samples that stand alone; nil where no number up to a thousand million is enough.
  package static func samplesNeeded(
    _ pair: PairedDifference, margin: Double, confidence: Double
  ) -> Double? {
    guard pair.count > 0 else { return nil }
    let seen = (pair.onlyFirst + pair.onlySecond) / pair.count - pair.value * pair.value
    let deviations =
      NormalDistribution.reach(confidence) * pair.variance(at: -margin).squareRoot()
      + NormalDistribution.quantile(power) * max(0, seen).squareRoot()
    let needed = deviations / abs(pair.value + margin)
    guard let least = leastCount(pair, margin, confidence), needed.isFinite else { return nil }
    let count = max(least, needed * needed)
    return count < greatestCount ? count : nil
  }

  private static let greatestCount = 1e9

  /// The least number of samples whose interval has the margin outside, where shares stay as they are.
  private static func leastCount(_ pair: PairedDifference, _ margin: Double, _ confidence: Double) -> Double?
  {
    func isTold(_ count: Double) -> Bool {
      let factor = count / pair.count
      let scaled = PairedDifference(
        onlyFirst: pair.onlyFirst * factor, onlySecond: pair.onlySecond * factor, count: count)
      return outcome(scaled.interval(confidence: confidence), margin: margin) != .open
    }
    var (tooFew, enough) = (pair.count, pair.count)
    while !isTold(enough) {
      guard enough < greatestCount else { return nil }
      (tooFew, enough) = (enough, 2 * enough)
    }
    while enough - tooFew > 0.5 {
      let middle = (tooFew + enough) / 2
      if isTold(middle) { enough = middle } else { tooFew = middle }
    }
    return enough
  }
}

/// What a comparison says of a margin.
public enum MarginOutcome: String, Sendable, CaseIterable {
  /// The loss is below the margin, with the confidence of the interval.
  case within
  /// The loss is above the margin.
  case beyond
  /// The interval has the margin in it.
  case open
}
