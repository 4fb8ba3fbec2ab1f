/// The result of a classifier for one picture.
public struct Classification: Sendable, Codable {
  /// The best classes, best first; of equal scores the lower index is first.
  public internal(set) var predictions: [Prediction]
  /// Whether the answer is not to be trusted, for one of the reasons of ``uncertainty``.
  public let isUncertain: Bool
  /// Why it is not to be trusted; nil when it is certain.
  public let uncertainty: Uncertainty?
  /// How unlike the picture is to all that the classifier knows, on a scale of its own
  /// (``ImageClassifier/noveltyThreshold``); nil where the model carries no rejection.
  public let novelty: Float?
  /// How the picture became the model's input: profile, resize, geometry, formula, encoding.
  public let preprocessing: String
  /// Damage in the picture's file, some of whose pixels may be guessed; nil if there is none.
  public let damage: String?
  /// The time that each stage took.
  public let times: StageTimes

  private enum CodingKeys: String, CodingKey {
    case predictions, isUncertain, uncertainty, novelty, preprocessing, damage, times = "milliseconds"
  }
}
