import Apus
import Statistics

/// How long a stage took. Quantiles are within 0.8 % of the exact ones, all else is exact.
public struct LatencySummary: Sendable, Hashable, Codable {
  /// How many times it was recorded.
  public let count: UInt64
  /// The arithmetic mean.
  public var average: Duration { Duration(milliseconds: averageMilliseconds) }
  package let averageMilliseconds: Double
  /// The shortest.
  public var minimum: Duration { Duration(milliseconds: minimumMilliseconds) }
  package let minimumMilliseconds: Double
  /// Half of them were shorter.
  public var p50: Duration { Duration(milliseconds: p50Milliseconds) }
  package let p50Milliseconds: Double
  /// 95 % of them were shorter.
  public var p95: Duration { Duration(milliseconds: p95Milliseconds) }
  package let p95Milliseconds: Double
  /// 99 % of them were shorter.
  public var p99: Duration { Duration(milliseconds: p99Milliseconds) }
  package let p99Milliseconds: Double
  /// The longest.
  public var maximum: Duration { Duration(milliseconds: maximumMilliseconds) }
  package let maximumMilliseconds: Double

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
