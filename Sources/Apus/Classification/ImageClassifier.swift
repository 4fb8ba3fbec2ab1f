import Graph
import Images
import Networks
import TensorCore

/// Names what a picture shows, with a classifier in a TFLite file or in a model folder.
///
///     let classifier = try await ImageClassifier.load("mobilenet.tflite", options: .init(labels: "labels.txt"))
///     let result = try await classifier.classify("cat.jpg", topK: 3)
///     print(result.predictions[0].label, result.predictions[0].score)
///
/// A picture gives the same scores, to the last bit, for any number of threads.
public final class ImageClassifier: InferenceModel {
  let model: ClassifierModel
  /// The model file in use.
  public let path: String
  /// The files that were tried before it, and why each was refused.
  public let refused: [RefusedModel]
  /// Files beside the model that were ignored although their names are read, and why: a `labels.json` with another number
  /// of classes, a `meta.json` with another input size.
  public var notes: [String] { model.images.preparation.notes + model.labels.notes }
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a classifier: a TFLite model of one input `[1, height, width, 3]` of float32, uint8 or int8 and an
  /// output `[1, classes]` of scores; or a folder with a classifier of pictures in safetensors (`apus list models`).
  /// Of several outputs the one counts that alone has labels in the model's metadata, probabilities, or as many numbers
  /// as there are labels.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel` or `unsupportedModel`
  ///   when the model cannot be used, `configuration` when labels or metadata do not fit it.
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
  ) async throws(ApusError) -> ImageClassifier {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try ImageClassifier(model, options, &loading)
    }
  }

  private init(_ path: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    try options.validate()
    (model, refused) = try ModelChoice.first(of: [path] + options.fallbacks) { (path) throws(ApusError) in
      try ClassifierModel(path, options, &loading)
    }
    self.path = model.images.model.path
    loadTimes = loading.times
  }

  /// The names of the classes, by their index; the index itself for a class without one. A name that a
  /// configuration leaves empty is empty.
  public var labels: [String] { model.labels.names }

  /// Whether classes have names, from a file or from the model.
  public var hasLabels: Bool { model.labels.areKnown }

  /// The score below which a prediction is uncertain; of what a regression gives only one that the caller set.
  public var threshold: Float { model.threshold }

  /// The novelty (``Classification/novelty``) above which a picture is foreign; nil where the model carries no
  /// rejection.
  public var noveltyThreshold: Float? { model.noveltyCheck?.threshold }

  /// The divisor of logits before they become scores: 1 if the model's metadata state none.
  public var temperature: Float { model.temperature }

  /// The arithmetic and kernels it runs on.
  public var computation: Computation { model.images.computation }

  /// How pictures become the model's input.
  public var preprocessing: String { preprocessor.description }

  /// The type of the model's input, with the quantization of its integers: `[1, height, width, 3]`.
  public var inputType: TensorType { preprocessor.input }

  /// The type of the model's output, with the quantization of its integers: `[1, classes]`.
  public var outputType: TensorType { model.images.model.outputs[0].type }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { model.images.model.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { model.images.model.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { model.images.model.takeRunTimes() }

  func inference(_ topK: Int?) -> Inference<Picture, Classification> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.classify(picture, topK: topK, isCancelled: isCancelled)
    }
  }

  private func classify(
    _ picture: Picture, topK: Int?, isCancelled: () -> Bool
  ) throws(ApusError) -> Classification {
    _ = try TopK.checked(topK)
    let (decode, damage, outputs) = try model.images.outputs(for: picture, isCancelled: isCancelled)
    var watch = Stopwatch()
    let novelty = model.noveltyCheck?(outputs)
    let isForeign = novelty?.isForeign ?? false
    let predictions = try model.labels.predictions(
      try model.scores(outputs), topK, threshold: model.lowestScore, isForeign: isForeign)
    let isUncertain = predictions[0].isUncertain
    return Classification(
      predictions: predictions, isUncertain: isUncertain,
      uncertainty: isForeign ? .foreign : isUncertain ? .lowScore : nil, novelty: novelty?.novelty,
      preprocessing: preprocessing, damage: damage,
      times: StageTimes(
        decode: decode, preprocess: outputs.preparation, run: outputs.run, rank: watch.lap()))
  }
}
