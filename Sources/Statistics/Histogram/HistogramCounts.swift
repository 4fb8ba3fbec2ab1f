/// What a histogram has counted: its buckets that are not empty, and what they cannot say exactly.
package struct HistogramCounts: Sendable, Equatable {
  /// How many values are in a bucket of ``LogLinearBuckets``.
  package struct Bucket: Sendable, Equatable {
    package let index: Int
    package fileprivate(set) var count: UInt64

    init(index: Int, count: UInt64) { (self.index, self.count) = (index, count) }

    /// Those that are counted in it.
    package var values: ClosedRange<UInt64> { LogLinearBuckets.values(of: index) }
  }

  /// In ascending order.
  package private(set) var buckets: [Bucket] = []
  /// How many values were counted.
  package private(set) var count: UInt64 = 0
  /// Of all values.
  package private(set) var sum: UInt64 = 0
  /// Of all values; 2⁶³ − 1, the greatest that is counted, for none.
  package private(set) var minimum = UInt64(Int64.max)
  /// Of all values; 0 for none.
  package private(set) var maximum: UInt64 = 0

  package init() {}

  /// Of a value that was being recorded, buckets may lack what the other numbers have.
  init(buckets: [Bucket], sum: UInt64, minimum: UInt64, maximum: UInt64) {
    self.buckets = buckets
    self.sum = sum
    count = buckets.reduce(0) { $0 &+ $1.count }
    self.minimum = min(minimum, buckets.first?.values.upperBound ?? .max)
    self.maximum = max(maximum, buckets.last?.values.lowerBound ?? 0)
  }

  package var isEmpty: Bool { buckets.isEmpty && self == HistogramCounts() }

  /// The arithmetic mean, exact; NaN for no values.
  package var mean: Double { Double(sum) / Double(count) }

  /// Adds what others counted.
  package mutating func merge(_ other: HistogramCounts) {
    if other.isEmpty { return }
    if isEmpty { return self = other }
    var merged: [Bucket] = []
    merged.reserveCapacity(buckets.count + other.buckets.count)
    var next = 0
    for bucket in buckets {
      while next < other.buckets.count, other.buckets[next].index < bucket.index {
        merged.append(other.buckets[next])
        next += 1
      }
      var sum = bucket
      if next < other.buckets.count, other.buckets[next].index == bucket.index {
        sum.count &+= other.buckets[next].count
        next += 1
      }
      merged.append(sum)
    }
    merged += other.buckets[next...]
    self = HistogramCounts(
      buckets: merged, sum: sum &+ other.sum, minimum: min(minimum, other.minimum),
      maximum: max(maximum, other.maximum))
  }

  /// How many values lie in buckets up to `value`; exact where it is the upper end of one, as powers of two are.
  package func count(upTo value: UInt64) -> UInt64 {
    buckets.prefix { $0.values.upperBound <= value }.reduce(0) { $0 &+ $1.count }
  }

  /// The value below which a share `p` of the values lies, as `quantile` of a collection has it, within the width of a
  /// bucket: at most 0.8 % from it. NaN for no values.
  /// - Parameter p: from 0 to 1.
  package func quantile(_ p: Double) -> Double {
    guard count > 0 else { return .nan }
    let place = min(max(p, 0), 1) * Double(count - 1)
    let lower = UInt64(place)
    let value = value(at: lower)
    let share = place - Double(lower)
    return share > 0 ? value + (self.value(at: lower + 1) - value) * share : value
  }

  /// The value of a place in their order: values of a bucket are taken to lie evenly in it.
  private func value(at place: UInt64) -> Double {
    if place == 0 { return Double(minimum) }
    if place == count - 1 { return Double(maximum) }
    var before: UInt64 = 0
    for bucket in buckets {
      guard place >= before &+ bucket.count else {
        let (values, share) = (bucket.values, (Double(place - before) + 0.5) / Double(bucket.count))
        let (least, greatest) = (max(values.lowerBound, minimum), min(values.upperBound, maximum))
        return Double(least) + (Double(greatest) - Double(least)) * share
      }
      before &+= bucket.count
    }
    return Double(maximum)
  }
}
