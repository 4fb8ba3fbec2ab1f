/// A sample for which two models name different classes.
public struct Flip: Sendable, Hashable {
  /// The position in ``DataReport/samples``.
  public var sample: Int
  /// Who is right.
  public var kind: Kind
  /// What the baseline says, or the model that stands in its place.
  public var baseline: Answer
  /// What the other model says.
  public var other: Answer

  /// Who is right of two.
  public enum Kind: String, Sendable, CaseIterable {
    /// The baseline is right and the other is not.
    case becameWrong
    /// The other is right and the baseline is not.
    case becameRight
    /// Neither is right.
    case bothWrong
    /// Nobody knows who is right.
    case unlabelled
  }

  /// A class and its score.
  public struct Answer: Sendable, Hashable {
    /// A position in ``DataReport/classes``.
    public var label: Int
    /// Its score, from 0 to 1 where it is a probability.
    public var score: Float

    package init(label: Int, score: Float) {
      self.label = label
      self.score = score
    }
  }

  package init(sample: Int, kind: Kind, baseline: Answer, other: Answer) {
    self.sample = sample
    self.kind = kind
    self.baseline = baseline
    self.other = other
  }
}
