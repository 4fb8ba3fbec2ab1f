/// A sample for which two models name different classes.
package struct Flip: Sendable, Hashable {
  /// The position in ``DataReport/samples``.
  package var sample: Int
  package var kind: Kind
  package var baseline: Answer
  package var other: Answer

  package enum Kind: String, Sendable, CaseIterable {
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
  package struct Answer: Sendable, Hashable {
    /// A position in ``DataReport/classes``.
    package var label: Int
    package var score: Float

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
