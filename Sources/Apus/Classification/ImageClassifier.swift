import Graph
import Images
import Networks
import TensorCore

/// Names what a picture shows, with a classifier in a TFLite file or in a model folder.
///
///     let classifier = try ImageClassifier(contentsOf: "mobilenet.tflite", labels: "labels.txt")
///     let result = try classifier.classify("cat.jpg", topK: 3)
///     print(result.predictions[0].label, result.predictions[0].score)
///
/// A classifier may be used from any number of threads and tasks at once; each run has memory of its own. The
/// same picture gives the same scores, to the last bit, however many threads work.
public final class ImageClassifier: Sendable {
  let model: ClassifierModel
  /// The model file in use.
  public let path: String
  /// The files that were tried before it, and why each was refused.
  public let refused: [RefusedModel]

  /// Loads a classifier: a TFLite model of one input `[1, height, width, 3]` of float32, uint8 or int8 and an
  /// output `[1, classes]` of scores; or a folder with a classifier of pictures in safetensors (`apus list models`).
  /// - Parameters:
  ///   - path: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache. Nothing
  ///     is downloaded.
  ///   - labels: a file with a label for each class: a line for each, or JSON. Nil takes the labels in the
  ///     model's own metadata, or else those of `labels.json` or `labels.txt` beside a `.tflite` file if they are
  ///     as many as the classes, or else the numbers of the classes.
  ///   - options: how the classifier is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel` or `unsupportedModel`
  ///   when the model cannot be used, `configuration` when labels or metadata do not fit it.
  public init(
    contentsOf path: String, labels: String? = nil, options: Options = Options()
  ) throws(ApusError) {
    try options.validate()
    let (model, refused) = try ModelChoice.first(of: [path] + options.fallbacks) { (path) throws(ApusError) in
      try ClassifierModel(path, labels: labels, options: options)
    }
    self.model = model
    self.path = model.images.model.path
    self.refused = refused
  }

  /// The number of classes that the model tells apart.
  public var classCount: Int { model.classCount }

  /// Whether classes have names, from a file or from the model.
  public var hasLabels: Bool { !model.labels.isEmpty }

  /// The score below which a result is uncertain.
  public var threshold: Float { model.threshold }

  /// The time that each part of loading took.
  public var loadMilliseconds: LoadMilliseconds { model.loadMilliseconds }

  /// What it is computed with.
  public var computation: Computation { model.images.computation }

  /// How pictures become the model's input.
  public var preprocessing: String { preprocessor.description }

  /// The name of the class at a position of the model's output.
  public func label(_ index: Int) -> String { model.labels[index] }

  /// Classifies a picture and waits for the result. In a task that is cancelled it stops before the next node
  /// of the model.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - topK: the predictions wanted, at least 1; there are never more than classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(_ picture: Picture, topK: Int = 3) throws(ApusError) -> Classification {
    try inference(topK).now(picture)
  }

  func inference(_ topK: Int) -> Inference<Picture, Classification> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.classify(picture, topK: topK, isCancelled: isCancelled)
    }
  }

  private func classify(
    _ picture: Picture, topK: Int, isCancelled: () -> Bool
  ) throws(ApusError) -> Classification {
    guard topK >= 1 else { throw ApusError(.argument, "top \(topK)", expected: "at least 1") }
    let (decode, damage, outputs) = try model.images.outputs(for: picture, isCancelled: isCancelled)
    var watch = Stopwatch()
    let scores = try ranked(outputs.values)
    let predictions = scores.best(topK).map {
      Prediction(label: model.labels[$0], index: $0, score: scores.values[$0])
    }
    return Classification(
      predictions: predictions, isUncertain: (predictions.first?.score ?? 0) < model.threshold,
      preprocessing: preprocessing, damage: damage,
      milliseconds: StageMilliseconds(
        decode: decode, preprocess: outputs.preparation, run: outputs.run, rank: watch.lap()))
  }

  func ranked(_ outputs: [Float]) throws(ApusError) -> ClassScores {
    try ClassScores(outputs, meaning: model.meaning, model: path)
  }
}
