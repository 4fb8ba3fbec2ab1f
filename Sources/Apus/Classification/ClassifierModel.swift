import Formats
import Networks
import TensorCore

/// A model that was found to be an image classifier, with all that is needed to use it as one.
struct ClassifierModel: Sendable {
  let images: ImagePipeline
  let labels: ClassLabels
  let threshold: Float
  /// What logits are divided by.
  let temperature: Float
  /// What tells foreign pictures, and above which novelty they are; nil where nothing does.
  let rejection: (model: Rejection, threshold: Float)?
  /// What the output is; nil when each result shall show it.
  let meaning: ScoreMeaning?
  /// The same, as far as the caller says it.
  private let statedMeaning: ScoreMeaning?

  /// - Throws: ``ApusError`` with the file's name when the model is not one picture in, one list of scores out.
  init(
    _ path: String, _ options: ImageClassifier.Options, _ loading: inout Loading
  ) throws(ApusError) {
    let opened = try loading.open(path, then: [.image])
    let (network, scoring) = try opened.classifier(
      of: .image, expected: "an image classifier, such as ViT or MobileNetV2")
    images = try loading.pictures(network, of: opened, options.request, options.inference)
    labels = try ClassLabels(
      path: options.labels, model: opened, classCount: try Self.classCount(images.model))
    let metadata = options.isForCalibration ? nil : images.preparation.metadata
    threshold = options.threshold ?? metadata?.threshold ?? ImageClassifier.Options.standardThreshold
    temperature = metadata?.temperature ?? 1
    rejection =
      if options.rejectsForeign, let metadata {
        try Self.rejection(metadata, images, labels.names.count)
      } else {
        nil
      }
    statedMeaning = options.scores
    meaning =
      options.scores ?? scoring.map(ScoreMeaning.init)
      ?? ScoreMeaning(ofOutput: 0, of: images.model.compiled.graph)
  }

  /// What the metadata name, held against the model.
  /// - Throws: ``ApusError`` with the file's name when it is no rejection, or that of another model.
  private static func rejection(
    _ metadata: ClassifierMetadata, _ images: ImagePipeline, _ classCount: Int
  ) throws(ApusError) -> (model: Rejection, threshold: Float)? {
    guard let reference = metadata.rejection else { return nil }
    let folder = FileName.folder(of: images.preparation.metadataPath)
    let path = folder.isEmpty ? reference.file : "\(folder)/\(reference.file)"
    let rejection = try Rejection(contentsOf: path)
    guard rejection.featureCount == images.featureCount, rejection.classCount == classCount else {
      let features = images.featureCount.map { "\($0)" } ?? "no"
      throw ApusError(
        .configuration,
        "a rejection for \(rejection.featureCount) features and \(rejection.classCount) classes",
        expected: "\(features) features and \(classCount) classes, as the model has", file: path,
        advice: "It belongs to another model: 'apus calibrate' fits one for this.")
    }
    return (rejection, reference.threshold)
  }

  /// The scores of the classes.
  /// - Throws: ``ApusError`` when a number is NaN or infinite.
  func scores(_ outputs: ClassOutputs) throws(ApusError) -> ClassScores {
    if let logits = outputs.logits, statedMeaning == nil, temperature != 1 {
      return try ClassScores(logits, meaning: .logits, temperature: temperature, model: images.model.path)
    }
    return try ClassScores(
      outputs.values, meaning: meaning, temperature: temperature, model: images.model.path)
  }

  /// How unlike a picture is to those that the model was calibrated with, and whether it is foreign.
  func novelty(_ outputs: ClassOutputs) -> (novelty: Float, isForeign: Bool)? {
    rejection.map { rejection in
      let novelty = rejection.model.novelty(outputs.features)
      // What is no number is like nothing.
      return (novelty, !(novelty <= rejection.threshold))
    }
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
