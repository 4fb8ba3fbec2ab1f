import Apus
import Kernels
import TensorCore

/// What photographs are indexed with: a CLIP or SigLIP, whose tower for texts embeds the sentences of searches; or something
/// that embeds pictures alone, see ``hasTextTower``.
public struct PhotoModel: Sendable {
  /// How a model is used for an index. Another precision, decoding or transparency gives other vectors, and so is
  /// another model to the index.
  public struct Options: Sendable, Hashable {
    /// What pictures are computed in. Sentences are always computed in float32.
    public var precision: Precision
    /// How much of picture files is decoded.
    public var decoding: PictureDecoding
    /// How transparent pixels are shown to the model.
    public var transparency: ImageOptions.Transparency
    /// Threads of one run.
    public var threads: Int

    /// The defaults are those of `apus photos index`.
    public init(
      precision: Precision = .int8, decoding: PictureDecoding = .fast,
      transparency: ImageOptions.Transparency = .ignored, threads: Int = 1
    ) {
      self.precision = precision
      self.decoding = decoding
      self.transparency = transparency
      self.threads = threads
    }
  }

  /// What embeds pictures.
  let pictures: ImageEmbedder
  /// As it is in an index, but for its id.
  let stored: StoredModel

  /// - Parameters:
  ///   - name: a folder with a CLIP or SigLIP, with its tower for pictures, or with a DINOv2; the name of a repository in
  ///     the local Hugging Face cache; or a `.tflite` file that takes one picture, whose output is the vector, at its own
  ///     precision.
  ///   - options: how it is used.
  /// - Throws: ``ApusError``: what ``ImageEmbedder/init(_:options:)`` throws.
  public init(_ name: String, options: Options = Options()) throws(ApusError) {
    try self.init(Self.embedder(name, options), name, options)
  }

  /// Opens a model without blocking a thread of the caller's executor. Cancelling the task stops before the next stage.
  /// - Parameters:
  ///   - name: what ``init(_:options:)`` takes.
  ///   - options: how it is used.
  ///   - progress: told of every stage as it begins, on a thread of its own, and at the end.
  /// - Throws: ``ApusError``: what ``init(_:options:)`` throws, and `cancelled`.
  public static func load(
    _ name: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> PhotoModel {
    let pictures = try await ImageEmbedder.load(name, options: embedding(options)) { step in
      // The end is that of what follows.
      if step.stage != nil { progress?(step) }
    }
    let model = try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      guard !isCancelled() else { throw ApusError(.cancelled, "the loading was cancelled") }
      return try PhotoModel(pictures, name, options)
    }
    progress?(LoadProgress(stage: nil, fractionCompleted: 1))
    return model
  }

  private init(_ pictures: ImageEmbedder, _ name: String, _ options: Options) throws(ApusError) {
    self.pictures = pictures
    let identity = ModelIdentity(pictures.outerPath)
    let precision = options.precision.rawValue
    let decoding = StoredDecoding(options.decoding, options.transparency).text
    stored = StoredModel(
      id: 0, name: name, digest: try identity.digest([pictures.preprocessing, precision, decoding]),
      precision: precision, decoding: decoding, profile: pictures.preprocessing, width: pictures.width,
      path: ModelPath.absolute(pictures.outerPath), stamp: identity.stamp)
  }

  /// Which files beside the model were passed over though they have names that are read, and why: a `meta.json` of another
  /// input size, say.
  public var notes: [String] { pictures.notes }

  /// What embeds pictures as those of an index are.
  static func embedder(_ name: String, _ options: Options) throws(ApusError) -> ImageEmbedder {
    try ImageEmbedder(name, options: embedding(options))
  }

  private static func embedding(_ options: Options) -> ImageEmbedder.Options {
    var image = ImageOptions(transparency: options.transparency)
    // Vectors are what they were under the same name of a decoding.
    image.whitensTransparentColour = false
    return ImageEmbedder.Options(
      length: .unit, inference: InferenceOptions(precision: options.precision, threads: options.threads),
      image: image, decoding: options.decoding)
  }
}
