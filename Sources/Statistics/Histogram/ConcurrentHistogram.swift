import Synchronization

/// A histogram that any number of threads count into at once, without a lock: two atomic additions for a value, and an
/// exchange where it is smaller or greater than all before.
package final class ConcurrentHistogram: Sendable {
  private let counters: InlineArray<4608, Atomic<UInt64>>
  private let sum = Atomic<UInt64>(0)
  private let minimum = Atomic<UInt64>(.max)
  private let maximum = Atomic<UInt64>(0)

  package init() { counters = InlineArray { _ in Atomic(0) } }

  /// Counts a value. The bucket comes last, so that a value that is found in one is in the other numbers already.
  package func record(_ value: UInt64) {
    sum.wrappingAdd(value, ordering: .relaxed)
    if value < minimum.load(ordering: .relaxed) { minimum.min(value, ordering: .relaxed) }
    if value > maximum.load(ordering: .relaxed) { maximum.max(value, ordering: .relaxed) }
    counters[LogLinearBuckets.index(of: value)].wrappingAdd(1, ordering: .releasing)
  }

  /// What was counted so far.
  package var counts: HistogramCounts {
    let buckets = buckets { $0.load(ordering: .acquiring) }
    return HistogramCounts(
      buckets: buckets, sum: sum.load(ordering: .relaxed), minimum: minimum.load(ordering: .relaxed),
      maximum: maximum.load(ordering: .relaxed))
  }

  /// What was counted since the last time, which is counted no more. Of a value that is recorded at this moment, the
  /// bucket may come with the next time, and the rest is taken.
  package func take() -> HistogramCounts {
    let buckets = buckets { counter in
      counter.load(ordering: .relaxed) == 0 ? 0 : counter.exchange(0, ordering: .acquiring)
    }
    return HistogramCounts(
      buckets: buckets, sum: sum.exchange(0, ordering: .relaxed),
      minimum: minimum.exchange(.max, ordering: .relaxed), maximum: maximum.exchange(0, ordering: .relaxed))
  }

  /// Those that are not empty.
  private func buckets(_ read: (borrowing Atomic<UInt64>) -> UInt64) -> [HistogramCounts.Bucket] {
    var buckets: [HistogramCounts.Bucket] = []
    for index in counters.indices {
      let count = read(counters[index])
      if count > 0 { buckets.append(HistogramCounts.Bucket(index: index, count: count)) }
    }
    return buckets
  }
}
