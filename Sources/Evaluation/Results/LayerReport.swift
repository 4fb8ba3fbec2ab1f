/// Two models' intermediate results side by side.
package struct LayerReport: Sendable {
  /// Positions in ``ComparisonReport/models``.
  package var baseline: Int
  package var other: Int
  /// Samples that the figures are taken over.
  package var sampleCount: Int
  /// Matched results, the worst first.
  package var rows: [LayerRow]
  /// Results of either model that have no counterpart.
  package var unmatchedInBaseline: Int
  package var unmatchedInOther: Int
  /// The first operator in run order whose error leaves the bound; nil when none does, or none was asked for.
  package var firstDivergence: Divergence?

  /// An operator whose error leaves a bound.
  package struct Divergence: Sendable, Hashable {
    /// A position in ``LayerReport/rows``.
    package var row: Int
    /// The bound in words: `SQNR below 20 dB`.
    package var bound: String

    package init(row: Int, bound: String) {
      self.row = row
      self.bound = bound
    }
  }

  package init(
    baseline: Int, other: Int, sampleCount: Int, rows: [LayerRow], unmatchedInBaseline: Int,
    unmatchedInOther: Int, firstDivergence: Divergence?
  ) {
    self.baseline = baseline
    self.other = other
    self.sampleCount = sampleCount
    self.rows = rows
    self.unmatchedInBaseline = unmatchedInBaseline
    self.unmatchedInOther = unmatchedInOther
    self.firstDivergence = firstDivergence
  }
}

/// One intermediate result of two models.
package struct LayerRow: Sendable, Hashable {
  /// The position in the baseline's run order, from 0.
  package var position: Int
  /// The labels of the nodes that make it, as errors and `inspect` name them.
  package var baselineLabel: String
  package var otherLabel: String
  package var shape: [Int]
  /// The baseline's power over that of the difference, in dB; infinite when there is no difference.
  package var signalToNoise: Double
  package var cosine: Double
  package var greatestError: Double
  package var meanError: Double

  package init(
    position: Int, baselineLabel: String, otherLabel: String, shape: [Int], signalToNoise: Double,
    cosine: Double, greatestError: Double, meanError: Double
  ) {
    self.position = position
    self.baselineLabel = baselineLabel
    self.otherLabel = otherLabel
    self.shape = shape
    self.signalToNoise = signalToNoise
    self.cosine = cosine
    self.greatestError = greatestError
    self.meanError = meanError
  }
}
