/// Records of the last minutes, in twelfths.
struct SlidingWindow: Sendable {
  /// A twelfth, by its number since the clock began.
  struct Slice: Sendable {
    let number: UInt64
    var counts: RunCounts
  }

  private let sliceNanoseconds: UInt64
  /// The oldest first.
  private var slices: [Slice] = []

  init(_ window: PerformanceWindow) { sliceNanoseconds = window.sliceNanoseconds }

  /// Adds what was recorded at a time, in nanoseconds, which is none before an earlier call's.
  mutating func add(_ counts: RunCounts, at time: UInt64) {
    let number = time / sliceNanoseconds
    slices = slices(at: time)
    if let last = slices.indices.last, slices[last].number >= number {
      slices[last].counts.merge(counts)
    } else {
      slices.append(Slice(number: number, counts: counts))
    }
  }

  /// The slices in the window now.
  func slices(at time: UInt64) -> [Slice] { slices.filter { isWithin($0, at: time) } }

  private func isWithin(_ slice: Slice, at time: UInt64) -> Bool {
    let now = time / sliceNanoseconds
    return slice.number &+ PerformanceWindow.slices > now
  }
}
