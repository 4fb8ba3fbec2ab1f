import Formats
import TensorCore

/// A model's rejection, and the novelty above which pictures are foreign to it.
struct NoveltyCheck: Sendable {
  let threshold: Float
  private let rejection: Rejection

  /// The check that a model's metadata name, validated against the model; nil if they name none.
  /// - Parameter classCount: the model's; nil where callers write the labels.
  /// - Throws: ``ApusError`` with the file's name if it is no rejection, or belongs to another model.
  init?(for images: ImagePipeline, classCount: Int?) throws(ApusError) {
    guard let reference = images.preparation.metadata?.rejection else { return nil }
    let folder = FileName.folder(of: images.preparation.metadataPath)
    let path = folder.isEmpty ? reference.file : "\(folder)/\(reference.file)"
    rejection = try Rejection(contentsOf: path)
    threshold = reference.threshold
    guard rejection.featureCount == images.featureCount, [nil, rejection.classCount].contains(classCount)
    else {
      let features = "\(images.featureCount.map { "\($0)" } ?? "no") features"
      throw ApusError(
        .configuration,
        "a rejection for \(rejection.featureCount) features and \(rejection.classCount) classes",
        expected: "\(classCount.map { "\(features) and \($0) classes" } ?? features), as the model has",
        file: path,
        advice: "It was made for another model: \(Doing.calibrate) fits one for this.")
    }
  }

  /// How unlike a picture is to those that the model was calibrated with, and whether it is foreign.
  func callAsFunction(_ outputs: ClassOutputs) -> (novelty: Float, isForeign: Bool) {
    let novelty = rejection.novelty(outputs.features)
    // What is no number is like nothing.
    return (novelty, !(novelty <= threshold))
  }
}
