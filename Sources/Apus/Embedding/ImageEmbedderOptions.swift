import Images
import Networks

extension ImageEmbedder {
  /// How an embedder is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// How vectors are normalised.
    public var length: EmbeddingLength
    /// How pictures are prepared; nil for what the model's folder says.
    public var preprocessing: PreprocessingProfile?
    /// Precision and threads.
    public var inference: InferenceOptions
    /// Limits for decoding a picture.
    public var limits: ImageLimits
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions
    /// How much of a picture file is decoded.
    public var decoding: PictureDecoding

    /// Omitted arguments default to the model's own.
    public init(
      length: EmbeddingLength = .model, preprocessing: PreprocessingProfile? = nil,
      inference: InferenceOptions = InferenceOptions(), limits: ImageLimits = .standard,
      image: ImageOptions = .standard, decoding: PictureDecoding = .exact
    ) {
      self.length = length
      self.preprocessing = preprocessing
      self.inference = inference
      self.limits = limits
      self.image = image
      self.decoding = decoding
    }

    var request: ImagePipeline.Request {
      ImagePipeline.Request(preprocessing: preprocessing, limits: limits, image: image, decoding: decoding)
    }
  }
}

extension ImageEmbedder.Options: JSONOptions {
  /// The model's own.
  public static var standard: Self { Self() }

  /// `length`, `preprocessing`, `decoding`, and the keys of ``InferenceOptions``, ``ImageLimits`` and ``ImageOptions``.
  public static var settings: Settings<Self> {
    .setting(.length, \.length, .choice) + .setting(.preprocessing, \.preprocessing, .profile)
      + .setting(.decoding, \.decoding, .choice) + InferenceOptions.settings.inside(\.inference)
      + ImageLimits.settings.inside(\.limits) + ImageOptions.settings.inside(\.image)
  }
}
