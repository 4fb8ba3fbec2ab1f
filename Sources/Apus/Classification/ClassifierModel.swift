import Networks
import TensorCore

/// A model that was found to be an image classifier, with all that is needed to use it as one.
struct ClassifierModel: Sendable {
  let images: ImagePipeline
  let labels: ClassLabels
  let threshold: Float
  /// What the output is; nil when each result shall show it.
  let meaning: ScoreMeaning?
  let classCount: Int
  /// The time that each part of loading took.
  let loadMilliseconds: LoadMilliseconds

  /// - Throws: ``ApusError`` with the file's name when the model is not one picture in, one list of scores out.
  init(_ path: String, labels labelPath: String?, options: ImageClassifier.Options) throws(ApusError) {
    var watch = Stopwatch()
    let opened = try OpenedModel(path)
    let (network, scoring) = try opened.classifier(
      of: .image, expected: "an image classifier, such as ViT or MobileNetV2")
    let open = watch.lap()
    images = try ImagePipeline(network, of: opened, options.request, options.inference)
    loadMilliseconds = LoadMilliseconds(open: open, compile: watch.lap())
    let classCount = try Self.classCount(images.model)
    self.classCount = classCount
    labels = try ClassLabels(path: labelPath, model: opened.path, classCount: classCount) {
      () throws(ApusError) in try opened.labels(classCount: classCount)
    }
    threshold =
      options.threshold ?? images.preparation.threshold ?? ImageClassifier.Options.standardThreshold
    meaning =
      options.scores ?? scoring.map(ScoreMeaning.init)
      ?? ScoreMeaning(ofOutput: 0, of: images.model.compiled.graph)
  }

  /// The scores of one picture lie along one axis; every other has extent 1.
  private static func classCount(_ model: Model) throws(ApusError) -> Int {
    guard let shape = model.outputs.first?.type.shape else {
      throw ApusError(
        .unsupportedModel, "the model has no output", expected: "one of scores", file: model.path)
    }
    guard shape.elementCount > 0, shape.dimensions.contains(shape.elementCount) else {
      throw ApusError(
        .unsupportedModel, "an output of shape \(shape)", expected: "[1, classes]", file: model.path,
        advice: "The model is no image classifier; 'apus run' runs any model.")
    }
    return shape.elementCount
  }
}
