import Images
import Networks
import TensorCore

/// Turns pictures into vectors whose directions tell how alike they are, and, with CLIP and SigLIP, how well
/// a text describes them.
///
///     let embedder = try ImageEmbedder(model: "openai/clip-vit-base-patch32")
///     let vector = try embedder.embed("photo.jpg").values
///
/// An embedder may be used from any number of threads and tasks at once.
public final class ImageEmbedder: Sendable {
  let images: ImagePipeline
  private let length: EmbeddingLength
  private let normalizes: Bool
  /// The folder in use.
  public let path: String
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// How an embedder is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// Precision and threads.
    public var inference = InferenceOptions()
    /// How pictures are prepared; nil for what the model's folder says.
    public var preprocessing: PreprocessingProfile?
    /// What decoding a picture may cost.
    public var limits: ImageLimits = .standard
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions = .standard

    /// The model's own.
    public init() {}

    fileprivate var request: ImagePipeline.Request {
      ImagePipeline.Request(preprocessing: preprocessing, limits: limits, image: image)
    }
  }

  /// - Parameters:
  ///   - model: a folder with a CLIP or SigLIP, or with its tower for pictures; the name of a repository in the local
  ///     Hugging Face cache (nothing is downloaded); or a `.tflite` file that takes one picture, whose first output,
  ///     as real numbers, is the vector.
  ///   - length: what is done with the length of vectors.
  ///   - options: how the embedder is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public init(
    model: String, length: EmbeddingLength = .model, options: Options = Options()
  ) throws(ApusError) {
    try options.inference.validate()
    var watch = Stopwatch()
    let opened = try OpenedModel(model)
    let network: Network
    (network, normalizes) = try opened.encoder(
      of: .image, expected: "one that embeds pictures, as CLIP and SigLIP do")
    let open = watch.lap()
    images = try ImagePipeline(network, of: opened, options.request, options.inference)
    loadMilliseconds = LoadMilliseconds(open: open, compile: watch.lap())
    self.length = length
    path = opened.path
  }

  /// What it is computed with.
  public var computation: Computation { images.computation }

  /// How pictures become the model's input.
  public var preprocessing: String { images.preprocessor.description }

  /// Embeds a picture and waits for the result.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) throws(ApusError) -> Embedding {
    try inference.now(picture)
  }

  private var inference: Inference<Picture, Embedding> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.embed(picture, isCancelled: isCancelled)
    }
  }

  private func embed(_ picture: Picture, isCancelled: () -> Bool) throws(ApusError) -> Embedding {
    let (_, damage, output) = try images.outputs(for: picture, isCancelled: isCancelled)
    let values = try length.apply(
      output.values, normalizes: normalizes, of: picture.path ?? "the picture", model: path)
    return Embedding(values: values, wasTruncated: false, damage: damage)
  }
}

extension ImageEmbedder {
  /// Embeds a picture without blocking a thread of the caller's executor. Cancelling the task stops the work
  /// before the next node of the model.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) async throws(ApusError) -> Embedding {
    try await inference.inBackground(picture)
  }

  /// The embeddings of many pictures, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func embeddings<Pictures: Sequence<Picture>>(
    of pictures: Pictures, width: Int? = nil
  ) -> InferenceBatch<Pictures, Embedding> {
    inference.batch(of: pictures, width: width)
  }
}
