import Apus
import Statistics

/// Which answers a model itself calls uncertain: by the threshold and the rejection that it comes with, as `classify` does.
public struct CertaintyReport: Sendable {
  /// The score below which an answer is uncertain; nil where none is.
  public var threshold: Float?
  /// The novelty above which a picture is foreign; nil where the model carries no rejection.
  public var noveltyThreshold: Float?
  /// Answers that are certain.
  public var certain: Proportion
  /// Answers of too low a score, to samples that are not foreign.
  public var lowScore: Proportion
  /// Samples that are foreign to the model.
  public var foreign: Proportion
  /// Right answers among the certain ones; nil without labels, or where none is certain.
  public var right: Proportion?
  /// Why each answer is uncertain, in the order of ``DataReport/samples``; nil of those that are certain, and where there is no
  /// answer.
  public var reasons: [Uncertainty?]

  package init(
    threshold: Float?, noveltyThreshold: Float?, certain: Proportion, lowScore: Proportion,
    foreign: Proportion, right: Proportion?, reasons: [Uncertainty?]
  ) {
    self.threshold = threshold
    self.noveltyThreshold = noveltyThreshold
    self.certain = certain
    self.lowScore = lowScore
    self.foreign = foreign
    self.right = right
    self.reasons = reasons
  }
}

/// What a model's own threshold and rejection make of its answers, beside what the baseline's make of the baseline's.
public struct CertaintyChange: Sendable, Hashable {
  /// The share of certain answers of the other less the baseline's, from -1 to 1.
  public var certain: Double
  /// Its 95 % interval, Tango's (1998).
  public var certainInterval: Interval
  /// The share of right answers among the certain ones of the other less that of the baseline; nil without labels, or where one
  /// of the two is certain of nothing.
  public var right: ShareDifference?

  package init(certain: Double, certainInterval: Interval, right: ShareDifference?) {
    self.certain = certain
    self.certainInterval = certainInterval
    self.right = right
  }
}
