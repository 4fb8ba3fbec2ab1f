import Networks
import TensorCore
import Text

/// Turns texts into vectors whose directions tell how alike they are in meaning.
///
///     let embedder = try await TextEmbedder.load("sentence-transformers/all-MiniLM-L6-v2")
///     let vectors = try await embedder.embed(["a quick bird", "a swift"])
///     print(vectors[0].cosine(vectors[1]))
public final class TextEmbedder: InferenceModel {
  let texts: TextPipeline
  private let length: EmbeddingLength
  private let labelEmbedders: LabelEmbedders
  /// Whether ``EmbeddingLength/model`` brings its vectors to length 1.
  public let normalizes: Bool
  /// Values of an embedding.
  public let width: Int
  /// The folder in use.
  public let path: String
  /// The arithmetic and kernels it runs on.
  public let computation: Computation
  /// Notes for people on how the model's files were read.
  public let notes: [String]
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a folder with a BERT-like encoder, with a CLIP or SigLIP whose text tower is used, or with that tower alone.
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
  ) async throws(ApusError) -> TextEmbedder {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try TextEmbedder(model, options, &loading)
    }
  }

  private init(_ model: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    try options.inference.validate()
    let opened = try loading.open(model, options.inference, then: [.tokenizer, .text])
    let network: Network
    (network, normalizes) = try opened.encoder(of: .text, expected: "one that embeds texts")
    let (texts, first) = try loading.texts(
      network, of: opened, options.inference, masksPadding: options.masksPadding)
    self.texts = texts
    computation = Computation(first.compiled, part: network.name)
    loadTimes = loading.times
    length = options.length
    width = first.outputs[0].type.shape.dimensions.last ?? 0
    path = opened.path
    notes = opened.preparation.notes + texts.notes
    labelEmbedders = LabelEmbedders(texts, path: opened.path)
  }

  /// Tokens of a text, special ones included, at most; what is beyond is cut.
  public var maximumTokens: Int { texts.maximumTokens }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { texts.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { texts.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { texts.takeRunTimes() }

  /// The names of the prompts that a caller may choose to put before texts, as in sentence-transformers; empty for a model
  /// without prompts.
  public var promptNames: [String] { texts.preparation.promptNames }

  func inference(_ prompt: String?) -> Inference<[String], [Embedding]> {
    textInference(prompt, refusing: "text").allTogether(naming: "text")
  }

  func encodingInference(_ masksPadding: Bool?) -> Inference<[Encoding], [Embedding]> {
    let each: Inference<[Encoding], [Result<Embedding, ApusError>]> = Inference {
      (texts, isCancelled) throws(ApusError) in
      try self.embed(texts, masksPadding, refusing: "text", isCancelled: isCancelled)
    }
    return each.allTogether(naming: "text")
  }

  /// The result of each text; a failing text does not stop the others.
  func eachInference(_ prompt: String?) -> Inference<[String], [Result<Embedding, ApusError>]> {
    textInference(prompt, refusing: nil)
  }

  private func textInference(
    _ prompt: String?, refusing: String?
  ) -> Inference<[String], [Result<Embedding, ApusError>]> {
    Inference { (texts, isCancelled) throws(ApusError) in
      let pipeline = try self.texts.prompting(prompt)
      return try self.embed(
        texts.map { pipeline.encode($0) }, nil, refusing: refusing, isCancelled: isCancelled)
    }
  }

  /// Labels in templates, at length 1.
  func labelInference(
    _ templates: [String], _ masksPadding: Bool?
  ) -> Inference<[String], LabelEmbeddings> {
    Inference { (labels, isCancelled) throws(ApusError) in
      try self.labelEmbedders.embedder(masksPadding: masksPadding)
        .embed(labels, in: try PromptTemplates(templates), isCancelled: isCancelled)
    }
  }

  /// - Parameter refusing: what a text is called that keeps all from being run; nil where the others are.
  /// - Throws: ``ApusError`` of kind `cancelled` or `resources`; with `refusing`, the error of the first text that cannot be
  ///   run.
  private func embed(
    _ encodings: [Encoding], _ masksPadding: Bool?, refusing: String?, isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<Embedding, ApusError>] {
    let outputs = try texts.masking(masksPadding).outputs(
      for: encodings.map { .success($0) }, refusing: refusing, isCancelled: isCancelled)
    var embeddings: [Result<Embedding, ApusError>] = []
    for (encoding, output) in zip(encodings, outputs) {
      do throws(ApusError) {
        let values = try length.apply(
          try output.get(), normalizes: normalizes, of: "the text", model: path)
        embeddings.append(.success(Embedding(values, wasTruncated: encoding.wasTruncated)))
      } catch {
        embeddings.append(.failure(error))
      }
    }
    return embeddings
  }
}
