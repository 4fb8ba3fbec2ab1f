/// How the logits of labels are read as scores.
public enum ZeroShotScoring: String, Sendable, Hashable, Codable, CaseIterable {
  /// Which of the labels: the scores add up to 1. What CLIP is trained for.
  case softmax
  /// Whether each label applies, whatever the others: what SigLIP is trained for.
  case sigmoid
}
