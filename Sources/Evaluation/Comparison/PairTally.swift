import Statistics

/// How far the scores of a model are from the baseline's, for each sample.
struct PairTally: Sendable {
  private(set) var divergences: [Double] = []
  private(set) var cosines: [Double] = []

  mutating func add(_ baseline: [Float], _ other: [Float]) {
    divergences.append(Distributions.divergence(baseline, other))
    cosines.append(Distributions.cosine(baseline, other))
  }
}

extension Spread {
  /// Of at least one value; zeros of none.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let greatest = sorted.last else {
      self.init(mean: 0, median: 0, p95: 0, least: 0, greatest: 0)
      return
    }
    self.init(
      mean: sorted.mean, median: sorted.quantileOfSorted(0.5), p95: sorted.quantileOfSorted(0.95),
      least: least,
      greatest: greatest)
  }
}
