import Networks

extension TextEmbedder {
  /// How an embedder is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// What is done with the length of vectors.
    public var length: EmbeddingLength
    /// Precision and threads.
    public var inference: InferenceOptions

    /// What is not given is the model's own.
    public init(length: EmbeddingLength = .model, inference: InferenceOptions = InferenceOptions()) {
      self.length = length
      self.inference = inference
    }
  }
}
