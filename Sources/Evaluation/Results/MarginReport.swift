import CLibrary
import Statistics

/// Whether a model loses no more than a margin against the baseline.
///
/// A loss below the margin is not the same as no significant loss: few samples find no difference, and no proof that there
/// is none. The answer is that of the interval of the difference: within where all of it is on the one side of the margin,
/// beyond where all of it is on the other (ICH E9, 1998: with an interval of 95 %, a test of 2.5 %).
public struct MarginReport: Sendable, Hashable {
  /// The greatest loss that is accepted, as a share: 0.01 is a point.
  public let margin: Double
  /// What the samples say.
  public let outcome: MarginOutcome
  /// The greatest loss that the interval has, as a share; below 0 where even that is a gain.
  public let greatestLoss: Double
  /// The least loss that the interval has; below 0 for a gain.
  public let leastLoss: Double
  /// Where it is open, samples of this kind beyond those there are that would tell with a chance of 80 %, if answers go on
  /// as they do; nil where no number that could be gathered would.
  public let furtherSamples: Int?

  package init(_ margin: Double, _ accuracy: PairedAccuracy) {
    self.margin = margin
    outcome = MarginTest.outcome(accuracy.interval, margin: margin)
    greatestLoss = -accuracy.interval.lower
    leastLoss = -accuracy.interval.upper
    let needed =
      outcome == .open
      ? MarginTest.samplesNeeded(accuracy.paired, margin: margin, confidence: accuracy.confidence) : nil
    furtherSamples = needed.map { Int(($0 * accuracy.designEffect).rounded(.up)) - accuracy.count }
  }
}
