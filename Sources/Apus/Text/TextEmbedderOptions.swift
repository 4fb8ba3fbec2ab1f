import Networks

extension TextEmbedder {
  /// How an embedder is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// How vectors are normalised.
    public var length: EmbeddingLength
    /// Whether texts are embedded as a SigLIP embeds those that came with an attention mask: no token attends padding.
    /// False is what SigLIP was trained with. Models that attend no padding refuse it: BERT never does, CLIP
    /// gives the same with a mask and without.
    public var masksPadding: Bool
    /// Precision and threads.
    public var inference: InferenceOptions

    /// Omitted arguments default to the model's own.
    public init(
      length: EmbeddingLength = .model, masksPadding: Bool = false,
      inference: InferenceOptions = InferenceOptions()
    ) {
      self.length = length
      self.masksPadding = masksPadding
      self.inference = inference
    }
  }
}

extension TextEmbedder.Options: JSONOptions {
  /// The model's own.
  public static var standard: Self { Self() }

  /// `length`, `mask_padding`, and the keys of ``InferenceOptions``.
  public static var settings: Settings<Self> {
    .setting(.length, \.length, .choice) + .setting(.masksPadding, \.masksPadding, .flag)
      + InferenceOptions.settings.inside(\.inference)
  }
}
