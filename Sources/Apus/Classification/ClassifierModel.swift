import Formats
import Networks
import TensorCore

/// A model that was found to be an image classifier, with all that is needed to use it as one.
struct ClassifierModel: Sendable {
  let images: ImagePipeline
  let labels: ClassLabels
  let threshold: Float
  /// The threshold, if the output is a probability or the caller set one; nil otherwise.
  let lowestScore: Float?
  /// The divisor of logits.
  let temperature: Float
  /// The test for foreign pictures; nil if there is none.
  let noveltyCheck: NoveltyCheck?
  /// The meaning of the output.
  let meaning: ScoreMeaning
  /// Whether the caller says it.
  private let isMeaningStated: Bool
  /// The calibration in the model's metadata; nil if the caller states the output's meaning.
  private let calibration: ScoreCalibration?

  /// - Throws: ``ApusError`` with the file's name when the model is not one picture in, one list of scores out.
  init(
    _ path: String, _ options: ImageClassifier.Options, _ loading: inout Loading
  ) throws(ApusError) {
    let opened = try loading.open(path, options.inference, then: [.image])
    let (network, scoring) = try opened.classifier(
      of: .image, expected: "an image classifier, such as ViT or MobileNetV2")
    images = try loading.pictures(network, of: opened, options.request, options.inference)
    let output = images.output
    labels = try ClassLabels(
      path: options.labels, model: opened, ofOutput: output, classCount: try Self.classCount(images.model))
    let metadata = options.isForCalibration ? nil : images.preparation.metadata
    let shown = try opened.form.scoreThreshold(ofOutput: output)
    threshold =
      options.threshold ?? metadata?.threshold ?? shown ?? ImageClassifier.Options.standardThreshold
    temperature = metadata?.temperature ?? 1
    noveltyCheck =
      options.rejectsForeign && !options.isForCalibration
      ? try NoveltyCheck(for: images, classCount: labels.names.count) : nil
    isMeaningStated = options.scores != nil
    calibration =
      isMeaningStated
      ? nil : try opened.scoreCalibration(ofOutput: output, classCount: labels.names.count)
    meaning =
      options.scores ?? scoring.map(ScoreMeaning.init)
      ?? ScoreMeaning(
        ofOutput: 0, classCount: labels.names.count, of: images.model.compiled.graph,
        isCalibrated: calibration != nil)
    lowestScore = options.threshold ?? (meaning.givesProbabilities ? threshold : nil)
  }

  /// The scores of the classes.
  /// - Throws: ``ApusError`` when a number is NaN or infinite.
  func scores(_ outputs: ClassOutputs) throws(ApusError) -> ClassScores {
    if let logits = outputs.logits, meaning == .probabilities, !isMeaningStated, temperature != 1 {
      return try ClassScores(logits, meaning: .logits, temperature: temperature, model: images.model.path)
    }
    return try ClassScores(
      outputs.values, meaning: meaning, temperature: temperature, calibration: calibration,
      model: images.model.path)
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
        advice: "The model is no image classifier; \(Doing.runModel) runs any model.")
    }
    return shape.elementCount
  }
}
