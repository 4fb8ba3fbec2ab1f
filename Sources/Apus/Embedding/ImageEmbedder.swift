import Images
import Networks
import TensorCore

/// Turns pictures into vectors whose directions tell how alike they are, and, with CLIP and SigLIP, how well
/// a text describes them.
///
///     let embedder = try await ImageEmbedder.load("openai/clip-vit-base-patch32")
///     print(try await embedder.embed("photo.jpg").values)
public final class ImageEmbedder: InferenceModel {
  let images: ImagePipeline
  private let length: EmbeddingLength
  /// Whether ``EmbeddingLength/model`` brings its vectors to length 1.
  public let normalizes: Bool
  /// The folder in use.
  public let path: String
  /// The path that opens the model: the same, or the folder whose list of modules names a folder inside.
  package let outerPath: String
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a folder with a CLIP or SigLIP, with its tower for pictures, or with a DINOv2; or a `.tflite` file that takes one
  /// picture, whose first output, as real numbers, is the vector.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    var loading = Loading()
    try self.init(model, options, &loading)
  }

  /// Opens the model like the initialiser, and reports progress: a program may show it, and cancel before the next stage.
  /// - Parameters:
  ///   - model: a folder, a file, or a name in the local Hugging Face cache.
  ///   - options: the settings of the model.
  ///   - progress: told of every stage as it begins, on the calling thread, and at the end.
  ///   - isCancelled: asked before each stage.
  public convenience init(
    _ model: String, options: Options, progress: ((LoadProgress) -> Void)?,
    until isCancelled: @escaping () -> Bool
  ) throws(ApusError) {
    var loading = Loading(report: progress, isCancelled: isCancelled)
    try self.init(model, options, &loading)
    progress?(LoadProgress(stage: nil, fractionCompleted: 1))
  }

  /// Opens the model without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
  public static func load(
    _ model: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> ImageEmbedder {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try ImageEmbedder(model, options, &loading)
    }
  }

  private init(_ model: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    try options.inference.validate()
    let opened = try loading.open(model, options.inference, then: [.image])
    let network: Network
    (network, normalizes) = try opened.encoder(
      of: .image, expected: "one that embeds pictures, as CLIP, SigLIP and DINOv2 do")
    images = try loading.pictures(network, of: opened, options.request, options.inference)
    loadTimes = loading.times
    length = options.length
    (path, outerPath) = (opened.path, opened.outerPath)
  }

  /// The arithmetic and kernels it runs on.
  public var computation: Computation { images.computation }

  /// Whether the model is a classifier as far as it shows: its vectors are the probabilities of classes, whose directions
  /// tell less of how alike pictures are.
  public var givesProbabilities: Bool {
    let graph = images.model.compiled.graph
    return graph.probabilities(in: graph.outputs[0]) != nil
  }

  /// How picture files become RGB.
  package var imageOptions: ImageOptions { images.options }

  /// Values of an embedding.
  public var width: Int { images.model.outputs[0].type.shape.elementCount }

  /// How pictures become the model's input.
  public var preprocessing: String { images.preprocessor.description }

  /// Whether a `meta.json` beside the model was passed over, and why: one of another input size, say.
  public var notes: [String] { images.preparation.notes }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { images.model.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { images.model.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { images.model.takeRunTimes() }

  var inference: Inference<Picture, Embedding> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.embed(picture, isCancelled: isCancelled)
    }
  }

  private func embed(_ picture: Picture, isCancelled: () -> Bool) throws(ApusError) -> Embedding {
    let (_, damage, output) = try images.outputs(for: picture, isCancelled: isCancelled)
    let values = try length.apply(
      output.values, normalizes: normalizes, of: picture.path ?? "the picture", model: path)
    return Embedding(values, damage: damage)
  }
}
