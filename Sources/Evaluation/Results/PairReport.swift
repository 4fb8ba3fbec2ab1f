import Statistics

/// A model beside the baseline, on the same samples.
package struct PairReport: Sendable {
  /// Positions in ``ComparisonReport/models``: the baseline, and the other.
  package var baseline: Int
  package var other: Int
  /// Samples with the same best class.
  package var agreement: Proportion
  /// Cohen's kappa of the best classes: agreement beyond chance, 1 for full agreement.
  package var kappa: Double
  /// The Kullback-Leibler divergence of the other's scores from the baseline's, in nats.
  package var divergence: Spread
  /// The cosine of the score vectors.
  package var cosine: Spread
  /// What the pair says of accuracy; nil for data without labels.
  package var accuracy: PairedAccuracy?
  /// The same for the right class being among the five best.
  package var top5: PairedAccuracy?
  /// Samples with another best class, those that became wrong first, then those that became right.
  package var flips: [Flip]
  /// Classes by how much of them is found, the greatest loss first; empty for data without labels.
  package var classes: [ClassChange]
  /// The outcome in one sentence for people.
  package var verdict: String

  package init(
    baseline: Int, other: Int, agreement: Proportion, kappa: Double, divergence: Spread, cosine: Spread,
    accuracy: PairedAccuracy?, top5: PairedAccuracy?, flips: [Flip], classes: [ClassChange], verdict: String
  ) {
    self.baseline = baseline
    self.other = other
    self.agreement = agreement
    self.kappa = kappa
    self.divergence = divergence
    self.cosine = cosine
    self.accuracy = accuracy
    self.top5 = top5
    self.flips = flips
    self.classes = classes
    self.verdict = verdict
  }
}

/// How a quantity of each sample is spread.
package struct Spread: Sendable, Hashable {
  package var mean: Double
  package var median: Double
  package var p95: Double
  package var least: Double
  package var greatest: Double

  package init(mean: Double, median: Double, p95: Double, least: Double, greatest: Double) {
    self.mean = mean
    self.median = median
    self.p95 = p95
    self.least = least
    self.greatest = greatest
  }
}

/// The accuracies of two models on the same samples.
package struct PairedAccuracy: Sendable, Hashable {
  package var bothRight: Int
  package var onlyBaselineRight: Int
  package var onlyOtherRight: Int
  package var bothWrong: Int
  /// The other's accuracy less the baseline's, from -1 to 1.
  package var difference: Double
  /// The 95 % interval of the difference, by paired bootstrap.
  package var interval: Interval
  /// McNemar's exact test: how likely a difference so large is when there is none.
  package var pValue: Double

  /// Whether the difference is beyond chance at the level of 5 %.
  package var isSignificant: Bool { pValue < 0.05 }

  package init(
    bothRight: Int, onlyBaselineRight: Int, onlyOtherRight: Int, bothWrong: Int, difference: Double,
    interval: Interval, pValue: Double
  ) {
    self.bothRight = bothRight
    self.onlyBaselineRight = onlyBaselineRight
    self.onlyOtherRight = onlyOtherRight
    self.bothWrong = bothWrong
    self.difference = difference
    self.interval = interval
    self.pValue = pValue
  }
}

/// How much of one class two models find.
package struct ClassChange: Sendable, Hashable {
  /// A position in ``DataReport/classes``.
  package var label: Int
  package var baseline: ClassMetrics
  package var other: ClassMetrics

  package init(label: Int, baseline: ClassMetrics, other: ClassMetrics) {
    self.label = label
    self.baseline = baseline
    self.other = other
  }

  /// The other's recall less the baseline's.
  package var recallChange: Double { other.recall - baseline.recall }
}
