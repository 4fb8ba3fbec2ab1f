/// All that was recorded of a model: since it is known, and in each window.
struct RunHistory: Sendable {
  private(set) var all = RunCounts()
  private var windows = PerformanceWindow.allCases.map { (window: $0, content: SlidingWindow($0)) }

  mutating func add(_ counts: RunCounts, at time: UInt64) {
    guard !counts.isEmpty else { return }
    all.merge(counts)
    for index in windows.indices { windows[index].content.add(counts, at: time) }
  }

  /// What each window has at a time, the shortest first.
  func windows(at time: UInt64) -> [(window: PerformanceWindow, slices: [SlidingWindow.Slice])] {
    windows.map { ($0.window, $0.content.slices(at: time)) }
  }

  /// The shortest window with so many runs; nil where none has as many.
  func evidence(runs: UInt64, at time: UInt64) -> (window: PerformanceWindow, counts: RunCounts)? {
    windows.lazy.map { ($0.window, $0.content.total(at: time)) }.first { $0.1.runs >= runs }
  }

  /// Whether nothing ran in the last hour.
  func isIdle(at time: UInt64) -> Bool { evidence(runs: 1, at: time) == nil }
}
