import Statistics

/// The accuracies of two models on the same samples.
///
/// ``interval``, ``pValue`` and ``isSignificant`` never contradict each other: the p-value is that of the test whose
/// interval it is, and where several pairs are compared, both are corrected for their number.
public struct PairedAccuracy: Sendable, Hashable {
  /// Samples for which both are right.
  public let bothRight: Int
  /// Samples for which the first alone is right; the baseline, where it is one of the two.
  public let onlyBaselineRight: Int
  /// Samples for which the other model alone is right.
  public let onlyOtherRight: Int
  /// Samples for which neither is right.
  public let bothWrong: Int
  /// The other's accuracy less the baseline's, from -1 to 1.
  public let difference: Double
  /// Tango's score interval of the difference (1998), of ``confidence``.
  public let interval: Interval
  /// The confidence of ``interval``: 95 %, and more where a pair is one of several and Holm's procedure (1979) held it to
  /// more.
  public let confidence: Double
  /// McNemar's score test (1947): how likely a difference so large is when there is none, times the pairs that it is
  /// corrected for by Holm's procedure.
  public let pValue: Double
  /// Pairs that were compared with each other at once, this one among them.
  public let comparisons: Int
  /// How many samples tell as much as one that stands alone, where some are copies of others; 1 where none is.
  public let designEffect: Double

  /// Whether the difference is beyond chance at the level of 5 %, which is where ``interval`` leaves out 0.
  public var isSignificant: Bool { pValue < 0.05 }

  /// Samples for which one alone is right.
  public var onlyOneRight: Int { onlyBaselineRight + onlyOtherRight }

  /// How often ``onlyOneRight`` samples are divided at least so unevenly between two models that are equally good, exactly:
  /// always, where they are one. ``pValue`` is of all that could have happened, and may be less. Nil where there are none, or
  /// where samples are copies of others, which are not divided one by one.
  public var chanceOfSplit: Double? {
    onlyOneRight > 0 && designEffect == 1 ? BinomialTest.evenOdds(onlyOtherRight, of: onlyOneRight) : nil
  }

  /// Samples.
  public var count: Int { bothRight + onlyBaselineRight + onlyOtherRight + bothWrong }

  /// A pair by itself.
  package init(_ outcomes: PairedOutcomes, designEffect: Double = 1) {
    self.init(outcomes, designEffect, HolmCorrection([Self.difference(outcomes, designEffect).pValue]), 0)
  }

  /// Pairs that are compared at once.
  package static func corrected(_ pairs: [(outcomes: PairedOutcomes, designEffect: Double)])
    -> [PairedAccuracy]
  {
    let correction = HolmCorrection(pairs.map { difference($0.outcomes, $0.designEffect).pValue })
    return pairs.enumerated().map { PairedAccuracy($1.outcomes, $1.designEffect, correction, $0) }
  }

  private init(_ outcomes: PairedOutcomes, _ designEffect: Double, _ correction: HolmCorrection, _ place: Int)
  {
    bothRight = outcomes.bothRight
    onlyBaselineRight = outcomes.onlyFirst
    onlyOtherRight = outcomes.onlySecond
    bothWrong = outcomes.bothWrong
    self.designEffect = designEffect
    difference = outcomes.difference
    confidence = correction.confidences[place]
    interval = Self.difference(outcomes, designEffect).interval(confidence: confidence)
    pValue = correction.adjusted[place]
    comparisons = correction.adjusted.count
  }

  private static func difference(_ outcomes: PairedOutcomes, _ designEffect: Double) -> PairedDifference {
    PairedDifference(outcomes, designEffect: designEffect)
  }

  /// With fractions of samples, where some are copies of others.
  package var paired: PairedDifference {
    PairedDifference(
      onlyFirst: Double(onlyBaselineRight) / designEffect, onlySecond: Double(onlyOtherRight) / designEffect,
      count: Double(count) / designEffect)
  }
}
