/// What the outputs of a model's networks are.
package enum ModelOutputs: Sendable {
  /// Logits of classes.
  /// - labels: the classes' names; nil when the model does not say.
  case classifier(labels: [String]?, scoring: ClassScoring)
  /// Embeddings of pictures and of their descriptions, which point the same way.
  case dualEncoder(DualEncoder)
  /// Embeddings of pictures or of texts.
  /// - normalizes: whether they are used at length 1.
  case encoder(normalizes: Bool)
  /// Nobody says: scores or embeddings, whatever the caller takes them for.
  case unstated
}

/// How a classifier's logits become scores.
package enum ClassScoring: Sendable, Equatable {
  /// One class of all: probabilities that add up to 1.
  case softmax
  /// Each class for itself.
  case sigmoid
  /// The numbers as they are: a regression.
  case none
}

/// How the embeddings of two towers are compared.
package struct DualEncoder: Sendable {
  /// How a logit is read as a probability.
  package enum Scoring: Sendable, Equatable {
    /// Among the texts given: CLIP.
    case softmax
    /// Each for itself: SigLIP.
    case sigmoid
  }

  /// A logit is `cosine · scale + bias`.
  package let scale: Float
  package let bias: Float
  package let scoring: Scoring
  /// Whether embeddings by themselves are used at length 1.
  package var normalizes = true
}
