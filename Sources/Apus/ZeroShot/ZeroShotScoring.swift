/// How the logits of labels are read as scores.
public enum ZeroShotScoring: String, Sendable, Hashable, Codable, CaseIterable {
  /// One of the labels: scores add up to 1. CLIP is trained for this.
  case softmax
  /// Each label by itself: scores are independent. SigLIP is trained for this.
  case sigmoid
}
