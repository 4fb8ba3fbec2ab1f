import Dispatch
import Statistics
import TestSupport
import Testing

/// Buckets cover all numbers without a gap, and what is counted in them comes back within their width.
@Suite struct HistogramTests {
  @Test func bucketsCoverAllNumbersOnce() {
    var next: UInt64 = 0
    for index in 0..<LogLinearBuckets.count {
      let values = LogLinearBuckets.values(of: index)
      #expect(values.lowerBound == next)
      #expect(LogLinearBuckets.index(of: values.lowerBound) == index)
      #expect(LogLinearBuckets.index(of: values.upperBound) == index)
      let isOpen = index == 0 || index == LogLinearBuckets.count - 1
      #expect(isOpen || values.upperBound - values.lowerBound <= values.lowerBound / 128)
      next = values.upperBound &+ 1
    }
    #expect(next == 0)
  }

  @Test(arguments: [64, 1 << 20, 1 << 34] as [UInt64])
  func powersOfTwoAreUpperBounds(_ power: UInt64) {
    var histogram = HistogramCounts()
    histogram.merge(counts([power - 1, power, power + power / 64]))
    #expect(histogram.count(upTo: power) == 2)
  }

  /// The least and greatest numbers there are do not trap, and are not lost.
  @Test func numbersAtBothEnds() {
    let counts = counts([0, 1, 1 << 62, UInt64(Int64.max)])
    #expect(counts.count == 4 && counts.minimum == 0 && counts.maximum == UInt64(Int64.max))
    #expect(counts.quantile(0) == 0 && counts.quantile(0.3) <= 1)
    #expect(self.counts([.max]).maximum == UInt64(Int64.max))
    #expect(counts.quantile(1) == Double(Int64.max))
    #expect(counts.quantile(2) == counts.quantile(1) && counts.quantile(-1) == 0)
  }

  @Test func nothingHasNoQuantile() {
    let nothing = HistogramCounts()
    #expect(nothing.isEmpty && nothing.quantile(0.5).isNaN && nothing.mean.isNaN)
    var one = counts([7])
    one.merge(nothing)
    #expect(one == counts([7]) && one.quantile(0.95) == 7 && one.mean == 7)
  }

  /// Times as they come: around a few milliseconds with a long tail, in two modes, all alike, and few.
  @Test(arguments: Samples.all) func quantilesAreWithinABucketOfTheExactOnes(_ samples: Samples) {
    let counts = counts(samples.values), exact = samples.values.map { Double($0) }.sorted()
    for p in [0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1] {
      let expected = exact.quantileOfSorted(p)
      #expect(abs(counts.quantile(p) - expected) <= expected / 128, "\(p) of \(samples.name)")
    }
    #expect(abs(counts.mean - exact.mean) < 1e-9 * exact.mean)
    #expect(counts.quantile(0) == exact.first && counts.quantile(1) == exact.last)
  }

  @Test func mergingIsCountingTogether() {
    let values = Samples.all[0].values
    var merged = HistogramCounts()
    for part in stride(from: 0, to: values.count, by: 7919) {
      merged.merge(counts(Array(values[part..<min(part + 7919, values.count)])))
    }
    #expect(merged == counts(values))
  }

  /// Whatever is taken between, each value is counted once, and nothing is lost.
  @Test func threadsCountWhileOthersTake() {
    let histogram = ConcurrentHistogram()
    var taken = HistogramCounts()
    let group = DispatchGroup()
    for thread in 0..<4 {
      DispatchQueue(label: "recorder \(thread)").async(group: group) {
        for value in 0..<50_000 { histogram.record(UInt64(value * 4 + thread + 1)) }
      }
    }
    while group.wait(timeout: .now()) == .timedOut { taken.merge(histogram.take()) }
    taken.merge(histogram.take())
    #expect(histogram.take().isEmpty)
    #expect(taken == counts(Array(1...200_000)))
  }

  private func counts(_ values: [UInt64]) -> HistogramCounts {
    let histogram = ConcurrentHistogram()
    for value in values { histogram.record(value) }
    let seen = histogram.counts
    #expect(histogram.take() == seen)
    return seen
  }
}

/// Times in nanoseconds.
struct Samples: Sendable, CustomTestStringConvertible {
  let name: String
  let values: [UInt64]
  var testDescription: String { name }

  static let all: [Samples] = {
    var random = SplitMix64(seed: 16)
    func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    let tail = (0..<100_000).map { _ in UInt64(2e6 / (1 - uniform() * 0.9999).squareRoot()) }
    let modes = (0..<100_000).map { _ in UInt64((uniform() < 0.9 ? 4e6 : 90e6) * (1 + uniform() / 10)) }
    return [
      Samples(name: "a long tail", values: tail), Samples(name: "two modes", values: modes),
      Samples(name: "all alike", values: Array(repeating: 12_345_678, count: 1000)),
      Samples(name: "few", values: [3_000_000, 90_000_000, 4_100_000, 3_300_000, 7]),
    ]
  }()
}
