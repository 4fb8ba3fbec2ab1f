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
  /// The outcome in one sentence for people.
  public var verdict: String

  package init(first: Int, second: Int, agreement: Proportion, accuracy: PairedAccuracy?, verdict: String) {
    self.first = first
    self.second = second
    self.agreement = agreement
    self.accuracy = accuracy
    self.verdict = verdict
  }
}
