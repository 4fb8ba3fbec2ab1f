@_exported import Apus
import Networks

/// Names what a picture shows, with the model that comes with the package: a MobileNetV2 that tells three diseases of
/// rice leaves apart, or one of the caller's own.
///
///     let kit = try ImageClassifierKit()
///     for prediction in try await kit.classify(image: "leaf.jpg") { print(prediction.label, prediction.score) }
public final class ImageClassifierKit: Sendable {
  /// What pictures are classified with.
  public let classifier: ImageClassifier

  /// Opens the package's model: in int8, or in float16 where that is refused.
  /// - Throws: ``ApusError``: what ``ImageClassifier`` throws; kind `file` where the package's resources are not there.
  public convenience init() throws(ApusError) {
    let folder = try PackageResources.folder("Apus_ImageClassifierKit", beside: #dsohandle)
    try self.init(
      model: "\(folder)/rice_v1_int8.tflite", options: .init(fallbacks: ["\(folder)/rice_v1_fp16.tflite"]))
  }

  /// Opens a model of the caller's own.
  /// - Throws: ``ApusError``: what ``ImageClassifier`` throws.
  public init(model: String, options: ImageClassifier.Options = .init()) throws(ApusError) {
    classifier = try ImageClassifier(model, options: options)
  }

  /// Which files beside the model were passed over though they have names that are read, and why: see
  /// ``ImageClassifier/notes``.
  public var notes: [String] { classifier.notes }

  /// The best classes of a picture, best first.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - topK: how many, at least 1; there are never more than classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(_ picture: Picture, topK: Int = 5) async throws(ApusError) -> [ImagePrediction] {
    try await classifier.classify(picture, topK: topK).predictions
  }

  /// The best classes of a picture, best first, with the picture under its name.
  /// - Parameters:
  ///   - image: what is looked at.
  ///   - topK: how many, at least 1; there are never more than classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(image: Picture, topK: Int = 5) async throws(ApusError) -> [ImagePrediction] {
    try await classify(image, topK: topK)
  }
}

/// A class and how sure the model is of it.
public typealias ImagePrediction = Prediction
