@_exported import Apus
import Networks

/// Names what a picture shows, with the model that comes with the package: a MobileNetV2 that tells three diseases of
/// rice leaves apart, or one of the caller's own.
///
///     let kit = try await ImageClassifierKit.load()
///     for prediction in try await kit.classify(image: "leaf.jpg") { print(prediction.label, prediction.score) }
public final class ImageClassifierKit: Sendable {
  /// The classifier in use.
  public let classifier: ImageClassifier

  /// Opens the package's model: in int8, or in float16 where that is refused.
  /// - Throws: ``ApusError``: what ``ImageClassifier`` throws; kind `file` where the package's resources are not there.
  public convenience init() throws(ApusError) {
    let (model, options) = try Self.ownModel()
    try self.init(model: model, options: options)
  }

  /// Opens a model of the caller's own.
  /// - Throws: ``ApusError``: what ``ImageClassifier`` throws.
  public init(model: String, options: ImageClassifier.Options = .init()) throws(ApusError) {
    classifier = try ImageClassifier(model, options: options)
  }

  /// Opens the package's model without blocking a thread of the caller's executor; see
  /// ``InferenceModel/load(_:options:progress:)``.
  /// - Parameter progress: told of every stage as it begins, on a thread of its own, and at the end.
  /// - Throws: ``ApusError``: what ``init()`` throws, and `cancelled`.
  public static func load(
    progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> ImageClassifierKit {
    let (model, options) = try ownModel()
    return try await load(model: model, options: options, progress: progress)
  }

  /// A kit with the caller's own model.
  /// - Throws: ``ApusError``: what ``init(model:options:)`` throws, and `cancelled`.
  public static func load(
    model: String, options: ImageClassifier.Options = .init(),
    progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> ImageClassifierKit {
    ImageClassifierKit(try await ImageClassifier.load(model, options: options, progress: progress))
  }

  private init(_ classifier: ImageClassifier) { self.classifier = classifier }

  private static func ownModel() throws(ApusError) -> (model: String, options: ImageClassifier.Options) {
    let folder = try PackageResources.folder("Apus_ImageClassifierKit", beside: #dsohandle)
    return ("\(folder)/rice_v1_int8.tflite", .init(fallbacks: ["\(folder)/rice_v1_fp16.tflite"]))
  }

  /// Notes for people on ignored files beside the model; see ``ImageClassifier/notes``.
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
