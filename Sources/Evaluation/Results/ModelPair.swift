import Statistics

/// Two models of which neither is the baseline, on the same samples.
public struct ModelPair: Sendable, Hashable {
  /// A position in ``ComparisonReport/models``, the lesser of the two.
  public var first: Int
  /// The position of the other.
  public var second: Int
  /// Samples with the same best class.
  public var agreement: Proportion
  /// What the pair says of accuracy, the first in the place of the baseline; nil for data without labels.
  public var accuracy: PairedAccuracy?
  /// Samples with another best class, the first in the place of the baseline: those that became wrong first, then those
  /// that became right.
  public var flips: [Flip]
  /// How much longer a run of the second takes.
  public var speed: SpeedRatio?
  /// The outcome in one sentence for people.
  public var verdict: String

  package init(
    first: Int, second: Int, agreement: Proportion, accuracy: PairedAccuracy?, flips: [Flip],
    speed: SpeedRatio?,
    verdict: String
  ) {
    self.first = first
    self.second = second
    self.agreement = agreement
    self.accuracy = accuracy
    self.flips = flips
    self.speed = speed
    self.verdict = verdict
  }
}
