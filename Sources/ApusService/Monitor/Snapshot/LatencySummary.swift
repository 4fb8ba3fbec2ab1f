import Statistics

/// How long a stage took. Quantiles are within 0.8 % of the exact ones, all else is exact.
public struct LatencySummary: Sendable, Hashable, Codable {
  /// How many times it was recorded.
  public let count: UInt64
  /// The arithmetic mean.
  public let averageMilliseconds: Double
  /// The shortest.
  public let minimumMilliseconds: Double
  /// Half of them were shorter.
  public let p50Milliseconds: Double
  /// 95 % of them were shorter.
  public let p95Milliseconds: Double
  /// 99 % of them were shorter.
  public let p99Milliseconds: Double
  /// The longest.
  public let maximumMilliseconds: Double

  /// - Returns: nil where nothing was recorded.
  init?(_ counts: HistogramCounts) {
    guard counts.count > 0 else { return nil }
    count = counts.count
    averageMilliseconds = counts.mean / 1e6
    minimumMilliseconds = Double(counts.minimum) / 1e6
    p50Milliseconds = counts.quantile(0.5) / 1e6
    p95Milliseconds = counts.quantile(0.95) / 1e6
    p99Milliseconds = counts.quantile(0.99) / 1e6
    maximumMilliseconds = Double(counts.maximum) / 1e6
  }
}
