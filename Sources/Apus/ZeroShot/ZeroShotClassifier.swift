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
/// Embeddings of labels are computed once and kept.
public final class ZeroShotClassifier: InferenceModel {
  let images: ImagePipeline
  let labelEmbedder: LabelEmbedder
  let templates: PromptTemplates
  let texts: TextPipeline
  let scale: Float
  let bias: Float
  /// What tells foreign pictures; nil where nothing does.
  let noveltyCheck: NoveltyCheck?
  /// The labels that pictures are scored against where a call names none.
  public let labels: [String]
  /// The score below which a label is uncertain.
  public let threshold: Float
  /// What logits of the model's own scale are divided by before they become scores: 1 where the folder's `meta.json` states
  /// none, or the options a scale.
  public let temperature: Float
  /// The folder in use.
  public let path: String
  /// How ``LabelScore/score`` is read.
  public let scoring: ZeroShotScoring
  /// What it is computed with.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// Opens a model folder with two towers, in Hugging Face's or OpenCLIP's layout.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    var loading = Loading()
    try self.init(model, options, &loading)
  }

  /// The same without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
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
    let opened = try loading.open(model, then: [.tokenizer, .text, .image] + (hasLabels ? [.labels] : []))
    let (image, text, comparison) = try opened.dualEncoder(
      expected: "an image and a text tower, as CLIP and SigLIP have")
    let (pipeline, first) = try loading.texts(
      text, of: opened, options.inference, masksPadding: options.masksPadding)
    texts = pipeline
    images = try loading.pictures(image, of: opened, options.request, options.inference)
    noveltyCheck =
      options.rejectsForeign && !options.isForCalibration
      ? try NoveltyCheck(for: images, classCount: nil) : nil
    computation = images.computation.and(Computation(first.compiled, part: text.name))
    scale = options.logitScale ?? comparison.logitScale
    bias = comparison.logitBias
    scoring = options.scoring ?? (comparison.scoring == .sigmoid ? .sigmoid : .softmax)
    let metadata = options.isForCalibration ? nil : images.preparation.metadata
    threshold = options.threshold ?? metadata?.threshold ?? 0
    // It was fitted to the model's own scale.
    temperature = options.logitScale == nil ? metadata?.temperature ?? 1 : 1
    path = opened.path
    labelEmbedder = LabelEmbedder(texts, path: path)
    if hasLabels {
      _ = try loading.stage(.labels) {
        [labelEmbedder, labels, templates, isCancelled = loading.isCancelled] () throws(ApusError) in
        try labelEmbedder.embed(labels, in: templates, isCancelled: isCancelled)
      }
    }
    loadMilliseconds = loading.milliseconds
  }

  /// How pictures become the model's input.
  public var preprocessing: String { images.preprocessor.description }

  /// Whether a `meta.json` in the folder was passed over, and why: one of another input size, say.
  public var notes: [String] { images.preparation.notes }

  /// How many numbers its embeddings have.
  public var width: Int { images.model.outputs[0].type.shape.elementCount }

  /// The novelty (``ZeroShotClassification/novelty``) above which a picture is foreign; nil where the model carries no
  /// rejection.
  public var noveltyThreshold: Float? { noveltyCheck?.threshold }

  /// What it keeps in memory now.
  public var memory: ModelMemory { images.model.memory + texts.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() {
    images.model.releaseIdleMemory()
    texts.releaseIdleMemory()
  }
}
