/// Two towers whose embeddings of a picture and of its description point the same way.
package struct DualEncoder: Sendable {
  /// How a logit is read as a probability.
  package enum Scoring: Sendable, Equatable {
    /// Among the texts given: CLIP.
    case softmax
    /// Each for itself: SigLIP.
    case sigmoid
  }

  package let image: any ImageTower
  package let text: any TextTower
  /// A logit is `cosine · logitScale + logitBias`.
  package let logitScale: Float
  package let logitBias: Float
  package let scoring: Scoring
}
