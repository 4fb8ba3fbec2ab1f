import Evaluation
import Statistics
import TensorCore

/// The search for the cheapest mixture of int8 and float layers that is shown to lose no more than a margin.
public struct MixtureReport: Sendable {
  /// A mixture that was tried.
  public struct Step: Sendable {
    /// The layers that stay floats.
    public let kept: [String]
    /// Bytes of the files with weights.
    public let byteCount: Int
    /// On the samples that layers are chosen by: the mean divergence of the scores from the float model's, in nats.
    public let divergence: Double
    /// On the same samples: the share of right answers less the float model's.
    public let difference: Double
    /// The judgement by the other samples; nil if they were not used.
    public internal(set) var judgement: Judgement?
  }

  /// The judgement of a mixture by samples that were not used to choose it.
  public struct Judgement: Sendable {
    /// The share of right answers less the float model's.
    public let difference: Double
    /// Tango's score interval of the difference.
    public let interval: Interval
    /// The confidence of the interval. Each mixture that is judged takes half of the chance of an error that is left of
    /// 5 %, so that all judgements together are wrong in no more than 5 of 100 searches.
    public let confidence: Double
    /// Whether the loss is within the margin.
    public let outcome: MarginOutcome
    /// Where it is open, samples of this kind beyond those there are that would probably tell; nil where none would.
    public let furtherSamples: Int?
  }

  /// The greatest loss that is accepted, as a share.
  public let margin: Double
  /// Samples that layers were chosen by.
  public let choosingSamples: Int
  /// Samples that mixtures were judged by. None of them was calibrated on or chosen by.
  public let judgingSamples: Int
  /// Samples that were left out because the model is calibrated on them.
  public let calibratedSamples: Int
  /// Notes for people on files beside the model that were ignored as it was compared with mixtures.
  public internal(set) var notes: [String] = []
  /// The steps, in order.
  public internal(set) var steps: [Step] = []

  /// The mixture that was shown to lose no more than the margin; nil when none was.
  public var taken: Step? { steps.first { $0.judgement?.outcome == .within } }

  /// A sentence for people on a judgement.
  public func sentence(_ judgement: Judgement) -> String {
    let confidence = (100 * judgement.confidence).printed("%.4g")
    let interval = "\(Self.points(judgement.interval.lower)) … \(Self.points(judgement.interval.upper))"
    let points = (100 * margin).printed("%g")
    let loss = "\(points) \(points == "1" ? "point" : "points")"
    let outcome =
      switch judgement.outcome {
      case .within: "It loses at most \(loss)"
      case .beyond: "It loses more than \(loss)"
      case .open: "Whether it loses more than \(loss) is open"
      }
    return
      "\(outcome): the difference is \(Self.points(judgement.difference)) points (\(confidence) % interval \(interval)), "
      + "on \(judgingSamples.counted("sample")) that it was neither calibrated on nor chosen by."
  }

  private static func points(_ share: Double) -> String { (100 * share).printed("%+.1f") }
}
