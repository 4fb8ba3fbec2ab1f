/// How well a label describes a picture.
public struct LabelScore: Sendable, Hashable, Codable {
  /// The label as the caller wrote it.
  public let label: String
  /// The position among the labels given.
  public let index: Int
  /// The reading that was asked for: ``softmax`` or ``sigmoid``.
  public let score: Float
  /// Whether the score is below the classifier's threshold, or the picture foreign.
  public let isUncertain: Bool
  /// Whether the label was longer than the model takes, and only its beginning was read.
  public let wasTruncated: Bool
  /// The cosine of picture and label, times the model's scale, plus its bias.
  public let logit: Float
  /// e to the logit over the classifier's ``ZeroShotClassifier/temperature``, as a share of the sum of that for all labels.
  public let softmax: Float
  /// 1 / (1 + e to minus the logit over the temperature).
  public let sigmoid: Float
}

/// How well labels describe one picture.
public struct ZeroShotClassification: Sendable, Codable {
  /// The labels with their scores, best first; of equal ones the label given first is first.
  public internal(set) var predictions: [LabelScore]
  /// Whether the answer is not to be trusted, for one of the reasons of ``uncertainty``.
  public let isUncertain: Bool
  /// Why it is not to be trusted; nil when it is certain.
  public let uncertainty: Uncertainty?
  /// How unlike the picture is to all that the model knows, whatever the labels, on a scale of its own
  /// (``ZeroShotClassifier/noveltyThreshold``); nil where the model carries no rejection, or an embedding was classified.
  public let novelty: Float?
  /// How ``LabelScore/score`` was read.
  public let scoring: ZeroShotScoring
  /// How the picture became the model's input; nil where an embedding was classified.
  public let preprocessing: String?
  /// Damage in the picture's file, some of whose pixels may be guessed; nil if there is none.
  public let damage: String?
  /// The time that each stage took.
  public let times: StageTimes

  private enum CodingKeys: String, CodingKey {
    case predictions, isUncertain, uncertainty, novelty, scoring, preprocessing, damage
    case times = "milliseconds"
  }

  /// - Parameter novelty: what a rejection says of the picture; nil where there is none.
  init(
    _ predictions: [LabelScore], _ novelty: (novelty: Float, isForeign: Bool)?, scoring: ZeroShotScoring,
    preprocessing: String?, damage: String?, times: StageTimes
  ) {
    self.predictions = predictions
    isUncertain = predictions.first?.isUncertain ?? true
    uncertainty = novelty?.isForeign ?? false ? .foreign : isUncertain ? .lowScore : nil
    self.novelty = novelty?.novelty
    self.scoring = scoring
    self.preprocessing = preprocessing
    self.damage = damage
    self.times = times
  }
}
