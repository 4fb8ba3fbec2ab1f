/// How the logits of labels are read as scores.
public enum ZeroShotScoring: String, Sendable, Hashable, CaseIterable {
  /// Which of the labels: the scores add up to 1. What CLIP is trained for.
  case softmax
  /// Whether each label applies, whatever the others: what SigLIP is trained for.
  case sigmoid
}

/// How well a label describes a picture.
public struct LabelScore: Sendable, Hashable {
  /// The label as the caller wrote it.
  public let label: String
  /// The position among the labels given.
  public let index: Int
  /// The reading that was asked for: ``softmax`` or ``sigmoid``.
  public let score: Float
  /// The cosine of picture and label, times the model's scale, plus its bias.
  public let logit: Float
  /// e to the logit, over the sum of that for all labels.
  public let softmax: Float
  /// 1 / (1 + e to minus the logit).
  public let sigmoid: Float
}

/// How well labels describe one picture.
public struct ZeroShotClassification: Sendable {
  /// A score for each label, best first; of equal ones the label given first is first.
  public let scores: [LabelScore]
  /// How ``LabelScore/score`` was read.
  public let scoring: ZeroShotScoring
  /// How the picture became the model's input.
  public let preprocessing: String
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is.
  public let damage: String?
  /// The time that each stage took.
  public let milliseconds: StageMilliseconds
}

extension ZeroShotClassification {
  /// The same with the best `count` scores only.
  public func best(_ count: Int) -> ZeroShotClassification {
    ZeroShotClassification(
      scores: Array(scores.prefix(max(count, 0))), scoring: scoring, preprocessing: preprocessing,
      damage: damage, milliseconds: milliseconds)
  }
}
