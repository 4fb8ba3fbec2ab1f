import Graph
import Images
import Networks
import TensorCore

/// Scores pictures against labels that the caller writes, with a CLIP or SigLIP model.
///
///     let classifier = try await ZeroShotClassifier.load("google/medsiglip-448")
///     let result = try await classifier.classify("chest.png", labels: ["pneumonia", "normal chest x-ray"])
///     print(result.predictions[0].label, result.predictions[0].score)
///
/// Embeddings of labels are computed once and kept. The two towers may be in folders of their own: see
/// ``Options/textModel``.
public final class ZeroShotClassifier: InferenceModel {
  let images: ImagePipeline
  let labelEmbedders: LabelEmbedders
  let templates: PromptTemplates
  let texts: TextPipeline
  let scaling: LogitScaling
  /// The test for foreign pictures; nil if there is none.
  let noveltyCheck: NoveltyCheck?
  /// The labels that pictures are scored against where a call names none.
  public let labels: [String]
  /// The score below which a label is uncertain.
  public let threshold: Float
  /// The folder in use; of two that with the tower for pictures.
  public let path: String
  /// The folder with the tower that embeds labels: ``path``, unless ``Options/textModel`` names another.
  public let textPath: String
  /// Whether a `meta.json` in the folder was passed over, and why: one of another input size, say. Which number cosines are
  /// multiplied by where no folder states one, see ``Options/textModel``. And whether ``Options/reading`` set a temperature
  /// aside.
  public let notes: [String]
  /// How ``LabelScore/score`` is read.
  public let scoring: ZeroShotScoring
  /// How the model was trained to have its logits read, whatever ``Options/scoring`` says.
  public let trainedScoring: ZeroShotScoring
  /// The arithmetic and kernels it runs on.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a model folder with two towers, in Hugging Face's or OpenCLIP's layout; or a folder with the image tower, and
  /// ``Options/textModel`` for the text tower.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option, and for towers that do not belong together.
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
  ) async throws(ApusError) -> ZeroShotClassifier {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try ZeroShotClassifier(model, options, &loading)
    }
  }

  private init(_ model: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    try options.validate()
    templates = try PromptTemplates(options.templates)
    labels = options.labels
    let hasLabels = !labels.isEmpty
    if hasLabels { try LabelEmbeddings.validate(labels) }
    let towers = try ZeroShotTowers(model, options, &loading)
    let text = towers.networks.text
    let (pipeline, first) = try loading.texts(
      text, of: towers.texts, options.inference, masksPadding: options.masksPadding)
    texts = pipeline
    images = try loading.pictures(
      towers.networks.image, of: towers.pictures, options.request, towers.pictureInference)
    noveltyCheck =
      options.rejectsForeign && !options.isForCalibration
      ? try NoveltyCheck(for: images, classCount: nil) : nil
    computation = images.computation.and(Computation(first.compiled, part: text.name))
    trainedScoring = towers.networks.comparison.scoring == .sigmoid ? .sigmoid : .softmax
    scoring = options.scoring ?? trainedScoring
    let metadata = options.isForCalibration ? nil : images.preparation.metadata
    threshold = options.threshold ?? metadata?.threshold ?? 0
    (path, textPath) = (towers.pictures.path, towers.texts.path)
    scaling = try LogitScaling(options, towers.networks, metadata, model: path)
    let note = scaling.note(options, metadata)
    notes = images.preparation.notes + texts.notes + towers.networks.notes + (note.map { [$0] } ?? [])
    labelEmbedders = LabelEmbedders(texts, path: textPath)
    if hasLabels {
      _ = try loading.stage(.labels) {
        [labelEmbedders, labels, templates, isCancelled = loading.isCancelled] () throws(ApusError) in
        try labelEmbedders.embedder(masksPadding: nil).embed(labels, in: templates, isCancelled: isCancelled)
      }
    }
    loadTimes = loading.times
  }

  /// The divisor of logits before they become scores: 1 if the folder's `meta.json` states none, or if the options set a
  /// scale other than the model's own (``Options/reading``).
  public var temperature: Float { scaling.temperature }

  /// How pictures become the model's input.
  public var preprocessing: String { images.preprocessor.description }

  /// How many numbers its embeddings have.
  public var width: Int { images.model.outputs[0].type.shape.elementCount }

  /// The novelty (``ZeroShotClassification/novelty``) above which a picture is foreign; nil where the model carries no
  /// rejection.
  public var noveltyThreshold: Float? { noveltyCheck?.threshold }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { images.model.memory + texts.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() {
    images.model.releaseIdleMemory()
    texts.releaseIdleMemory()
  }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { images.model.takeRunTimes() + texts.takeRunTimes() }
}
