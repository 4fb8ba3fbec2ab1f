import Statistics

/// How much longer a run of one model takes than one of another, on the same samples.
public struct SpeedRatio: Sendable, Hashable {
  /// The median, over samples, of the other's time over the baseline's.
  public let value: Double
  /// Its 95 % interval: places in the order of the ratios by the sign test, whatever their distribution is. Nil for fewer
  /// than six samples, which have none.
  public let interval: Interval?

  /// Ratios this near 1 are no news.
  static let leastNews = 1.05

  /// - Parameters:
  ///   - baseline: the time of each sample.
  ///   - other: the same of the other model.
  /// - Returns: nil for no samples.
  package init?(baseline: [Double], other: [Double]) {
    let ratios = zip(baseline, other).filter { $0.0 > 0 && $0.1 > 0 }.map { $0.1 / $0.0 }.sorted()
    guard !ratios.isEmpty else { return nil }
    value = ratios.quantileOfSorted(0.5)
    interval = SignInterval.places(of: ratios.count).map {
      Interval(lower: ratios[$0], upper: ratios[ratios.count - 1 - $0])
    }
  }

  /// Whether the two differ: the interval leaves out 1, and the ratio is further from it than 5 %.
  public var isNews: Bool {
    guard let interval, !interval.contains(1) else { return false }
    return max(value, 1 / value) >= Self.leastNews
  }
}
