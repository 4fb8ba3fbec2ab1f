import Synchronization

/// A histogram that any number of threads count into at once, without a lock: two atomic additions for a value, and an
/// exchange where it is smaller or greater than all before.
package final class ConcurrentHistogram: Sendable {
  private let counters: InlineArray<4608, Atomic<UInt64>>
  private let sum = Atomic<UInt64>(0)
  // Signed: `min` and `max` of the standard library (Swift 6.3) compare unsigned numbers as if they were.
  private let minimum = Atomic<Int64>(.max)
  private let maximum = Atomic<Int64>(0)

  package init() { counters = InlineArray { _ in Atomic(0) } }

  /// Counts a value, one over 2⁶³ − 1 as if it were that. The bucket comes last, so that a value that is found in one is in the other numbers already.
  package func record(_ value: UInt64) {
    let signed = Int64(clamping: value)
    sum.wrappingAdd(UInt64(signed), ordering: .relaxed)
    if signed < minimum.load(ordering: .relaxed) { minimum.min(signed, ordering: .relaxed) }
    if signed > maximum.load(ordering: .relaxed) { maximum.max(signed, ordering: .relaxed) }
    counters[LogLinearBuckets.index(of: value)].wrappingAdd(1, ordering: .releasing)
  }

  /// What was counted so far.
  package var counts: HistogramCounts {
    let buckets = buckets { $0.load(ordering: .acquiring) }
    return HistogramCounts(
      buckets: buckets, sum: sum.load(ordering: .relaxed),
      minimum: UInt64(clamping: minimum.load(ordering: .relaxed)),
      maximum: UInt64(clamping: maximum.load(ordering: .relaxed)))
  }

  /// What was counted since the last time, which is counted no more. Of a value that is recorded at this moment, the
  /// bucket may come with the next time, and the rest is taken.
  package func take() -> HistogramCounts {
    let buckets = buckets { counter in
      counter.load(ordering: .relaxed) == 0 ? 0 : counter.exchange(0, ordering: .acquiring)
    }
    return HistogramCounts(
      buckets: buckets, sum: sum.exchange(0, ordering: .relaxed),
      minimum: UInt64(clamping: minimum.exchange(.max, ordering: .relaxed)),
      maximum: UInt64(clamping: maximum.exchange(0, ordering: .relaxed)))
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
