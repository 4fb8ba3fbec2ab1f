import Statistics

/// All that was recorded of a model: since it is known, and in each window.
struct RunHistory: Sendable {
  private(set) var all = RunCounts()
  private var windows = PerformanceWindow.allCases.map { (window: $0, content: SlidingWindow($0)) }

  mutating func add(_ counts: RunCounts, at time: UInt64) {
    guard !counts.isEmpty else { return }
    all.merge(counts)
    for index in windows.indices { windows[index].content.add(counts, at: time) }
  }

  /// The counts of each window, shortest first.
  func windows(at time: UInt64) -> [(window: PerformanceWindow, slices: [SlidingWindow.Slice])] {
    windows.map { ($0.window, $0.content.slices(at: time)) }
  }

  /// The shortest window with enough runs to judge a model; nil if there is none.
  func evidence(runs: UInt64, at time: UInt64) -> Evidence? {
    for (window, content) in windows {
      let slices = content.slices(at: time)
      guard slices.reduce(0, { $0 &+ $1.counts.runs }) >= runs else { continue }
      let totals = slices.reduce(into: HistogramCounts()) { $0.merge($1.counts[.total]) }
      return Evidence(window: window, totals: totals, missed: slices.reduce(0) { $0 &+ $1.counts.missed })
    }
    return nil
  }

  /// The times of runs in a window, and how many were over the target.
  struct Evidence {
    let window: PerformanceWindow
    let totals: HistogramCounts
    let missed: UInt64
    var compliance: Double { RunCounts.compliance(runs: totals.count, missed: missed) ?? 1 }
  }

  /// Whether nothing ran in the last hour.
  func isIdle(at time: UInt64) -> Bool {
    windows.allSatisfy { $0.content.slices(at: time).allSatisfy { $0.counts.runs == 0 } }
  }
}
