import Graph
import Images
import Networks
import TensorCore

/// Scores pictures against labels that the caller writes, with a CLIP or SigLIP model.
///
///     let classifier = try ZeroShotClassifier(model: "google/medsiglip-448")
///     let result = try classifier.classify("chest.png", labels: ["pneumonia", "normal chest x-ray"])
///     print(result.scores[0].label, result.scores[0].score)
///
/// A classifier may be used from any number of threads and tasks at once. Embeddings of labels are computed
/// once and kept.
public final class ZeroShotClassifier: Sendable {
  let images: ImagePipeline
  private let texts: TextPipeline
  private let templates: PromptTemplates
  private let labelEmbeddings = LabelEmbeddings()
  let scale: Float
  let bias: Float
  /// The folder in use.
  public let path: String
  /// How ``LabelScore/score`` is read.
  public let scoring: ZeroShotScoring
  /// What it is computed with.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// - Parameters:
  ///   - model: a model folder in Hugging Face's or OpenCLIP's layout, or the name of a repository in the local
  ///     Hugging Face cache. Nothing is downloaded.
  ///   - options: how the classifier is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public init(model: String, options: Options = Options()) throws(ApusError) {
    try options.validate()
    templates = try PromptTemplates(options.templates)
    var watch = Stopwatch()
    let opened = try OpenedModel(model)
    let (image, text, comparison) = try opened.dualEncoder(
      expected: "an image and a text tower, as CLIP and SigLIP have")
    var load = LoadMilliseconds(open: watch.lap())
    texts = try TextPipeline(text, of: opened, options: opened.options(options.inference))
    load.tokenizer = watch.lap()
    images = try ImagePipeline(image, of: opened, options.request, options.inference)
    computation = images.computation.and(Computation(try texts.prepare().compiled, part: text.name))
    load.compile = watch.lap()
    scale = options.logitScale ?? comparison.logitScale
    bias = comparison.logitBias
    scoring = options.scoring ?? (comparison.scoring == .sigmoid ? .sigmoid : .softmax)
    path = opened.path
    loadMilliseconds = load
  }

  /// How pictures become the model's input.
  public var preprocessing: String { images.preprocessor.description }

  /// Scores a picture against `labels` and waits for the result. In a task that is cancelled it stops before
  /// the next node of the model.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for the labels, `cancelled`.
  public func classify(_ picture: Picture, labels: [String]) throws(ApusError) -> ZeroShotClassification {
    try inference(labels).now(picture)
  }

  func inference(_ labels: [String]) -> Inference<Picture, ZeroShotClassification> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.classify(picture, labels: labels, isCancelled: isCancelled)
    }
  }

  private func classify(
    _ picture: Picture, labels: [String], isCancelled: () -> Bool
  ) throws(ApusError) -> ZeroShotClassification {
    let described = try embeddings(of: labels, isCancelled: isCancelled)
    let (decode, damage, seen) = try images.outputs(for: picture, isCancelled: isCancelled)
    var watch = Stopwatch()
    let embedding = try Vectors.finiteUnit(seen.values, of: picture.path ?? "picture", model: path)
    let logits = LabelLogits(picture: embedding, labels: described, scale: scale, bias: bias)
    return ZeroShotClassification(
      scores: logits.ranked(labels, by: scoring), scoring: scoring, preprocessing: preprocessing,
      damage: damage,
      milliseconds: StageMilliseconds(
        decode: decode, preprocess: seen.preparation, run: seen.run, rank: watch.lap()))
  }

  /// The labels' embeddings, of length 1. Computed by the first call for a label; later ones find them.
  /// - Throws: ``ApusError`` of kind `argument` when there is no label or an empty one.
  func embeddings(of labels: [String], isCancelled: () -> Bool) throws(ApusError) -> [[Float]] {
    guard !labels.isEmpty else { throw ApusError(.argument, "no labels", expected: "at least one") }
    if let index = labels.firstIndex(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ApusError(.argument, "label \(index) is empty", expected: "text")
    }
    return try labelEmbeddings.embeddings(labels) { (labels) throws(ApusError) in
      let prompts = labels.map(templates.prompts)
      let sequences = prompts.flatMap { $0.map { texts.encode($0).ids } }
      let outputs = try texts.outputs(for: sequences, isCancelled: isCancelled)
      var next = 0
      var embeddings: [[Float]] = []
      for (label, prompts) in zip(labels, prompts) {
        var parts: [[Float]] = []
        for _ in prompts {
          parts.append(try Vectors.finiteUnit(outputs[next], of: "label '\(label)'", model: path))
          next += 1
        }
        embeddings.append(parts.count == 1 ? parts[0] : Vectors.unit(Vectors.mean(parts)))
      }
      return embeddings
    }
  }
}
