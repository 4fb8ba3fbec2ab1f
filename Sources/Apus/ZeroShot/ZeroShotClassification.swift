/// How well a label describes a picture.
public struct LabelScore: Sendable, Hashable, Codable {
  /// The label as the caller wrote it.
  public let label: String
  /// The position among the labels given.
  public let index: Int
  /// The reading that was asked for: ``softmax`` or ``sigmoid``.
  public let score: Float
  /// Whether the score is below the classifier's threshold.
  public let isUncertain: Bool
  /// Whether the label was longer than the model takes, and only its beginning was read.
  public let wasTruncated: Bool
  /// The cosine of picture and label, times the model's scale, plus its bias.
  public let logit: Float
  /// e to the logit, over the sum of that for all labels.
  public let softmax: Float
  /// 1 / (1 + e to minus the logit).
  public let sigmoid: Float
}

/// How well labels describe one picture.
public struct ZeroShotClassification: Sendable, Codable {
  /// The labels with their scores, best first; of equal ones the label given first is first.
  public internal(set) var predictions: [LabelScore]
  /// Whether even the best score is below the classifier's threshold.
  public let isUncertain: Bool
  /// How ``LabelScore/score`` was read.
  public let scoring: ZeroShotScoring
  /// How the picture became the model's input; nil where an embedding was classified.
  public let preprocessing: String?
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is.
  public let damage: String?
  /// The time that each stage took.
  public let milliseconds: StageMilliseconds
}
