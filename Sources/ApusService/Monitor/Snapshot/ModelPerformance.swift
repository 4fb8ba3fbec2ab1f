import Apus
import Statistics

/// A monitor's figures for one model.
public struct ModelPerformance: Sendable, Hashable, Codable {
  /// A stretch of time in a window, by when it ended.
  public struct Moment: Sendable, Hashable, Codable {
    /// How long before the snapshot it began, which no number in it is older than.
    public var age: Duration { Duration(milliseconds: secondsBefore * 1e3) }
    package let secondsBefore: Double
    /// The runs in it.
    public let runs: UInt64
    /// Of them, those that missed the target.
    public let missed: UInt64
    /// Half of the runs were shorter.
    public var p50: Duration { Duration(milliseconds: p50Milliseconds) }
    package let p50Milliseconds: Double
    /// 95 % of the runs were shorter.
    public var p95: Duration { Duration(milliseconds: p95Milliseconds) }
    package let p95Milliseconds: Double
  }

  /// How many runs took how long.
  public struct Bin: Sendable, Hashable, Codable {
    /// Of those counted, none is shorter.
    public var lower: Duration { Duration(milliseconds: lowerMilliseconds) }
    package let lowerMilliseconds: Double
    /// None is longer.
    public var upper: Duration { Duration(milliseconds: upperMilliseconds) }
    package let upperMilliseconds: Double
    /// How many there are.
    public let runs: UInt64
  }

  /// The name that it was registered by.
  public let name: String
  /// The display name; nil to use its name.
  public let displayName: String?
  /// The last load failure; nil if loading succeeded or was not reported.
  public let loadFailure: String?
  /// The latency target of a run; nil for none.
  public var target: Duration? { targetMilliseconds.map { Duration(milliseconds: $0) } }
  package let targetMilliseconds: Double?
  /// Memory in bytes; nil if not reported.
  public let memoryByteCount: Int?
  /// All since it is known.
  public let all: RunSummary
  /// Figures for the last minutes.
  public let windows: [PerformanceWindow: RunSummary]
  /// The course of each window, in its twelfths, the oldest first; those in which nothing ran are left out.
  public let course: [PerformanceWindow: [Moment]]
  /// The total times of all runs, the shortest first, in bins at most 0.8 % wide.
  public let distribution: [Bin]
}

extension ModelPerformance {
  /// The model's display name.
  package var shownName: String { displayName ?? name }

  init(_ recorder: LatencyRecorder) {
    let (history, now) = recorder.history()
    (name, displayName, loadFailure) = (recorder.model, recorder.displayName, recorder.loadFailure)
    targetMilliseconds = recorder.target.map { Double($0.nanoseconds) / 1e6 }
    memoryByteCount = recorder.memoryByteCount
    all = RunSummary(history.all)
    let windows = history.windows(at: now)
    self.windows = Dictionary(
      uniqueKeysWithValues: windows.map { window, slices in
        (window, RunSummary(slices.reduce(into: RunCounts()) { $0.merge($1.counts) }))
      })
    course = Dictionary(
      uniqueKeysWithValues: windows.map { window, slices in
        (window, slices.compactMap { Moment($0, window, now: now) })
      })
    distribution = history.all[.total].buckets.map { bucket in
      Bin(
        lowerMilliseconds: Double(bucket.values.lowerBound) / 1e6,
        upperMilliseconds: Double(min(bucket.values.upperBound, history.all[.total].maximum)) / 1e6,
        runs: bucket.count)
    }
  }
}

extension ModelPerformance.Moment {
  /// - Returns: nil for no runs.
  fileprivate init?(_ slice: SlidingWindow.Slice, _ window: PerformanceWindow, now: UInt64) {
    let counts = slice.counts
    guard counts.runs > 0 else { return nil }
    let start = slice.number &* window.sliceNanoseconds
    secondsBefore = now > start ? Double(now - start) / 1e9 : 0
    (runs, missed) = (counts.runs, min(counts.missed, counts.runs))
    p50Milliseconds = counts[.total].quantile(0.5) / 1e6
    p95Milliseconds = counts[.total].quantile(0.95) / 1e6
  }
}
