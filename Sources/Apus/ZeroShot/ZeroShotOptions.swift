import Images
import Networks
import TensorCore

extension ZeroShotClassifier {
  /// How a classifier is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// Precision and threads.
    public var inference = InferenceOptions()
    /// Sentences with `{}` where the label goes. With several, the label's embedding is the mean of theirs.
    public var templates = ["{}"]
    /// How logits are read; nil for what the model was trained for.
    public var scoring: ZeroShotScoring?
    /// The number by which cosines are multiplied; nil for the model's own.
    public var logitScale: Float?
    /// How pictures are prepared; nil for what the model's folder says.
    public var preprocessing: PreprocessingProfile?
    /// What decoding a picture may cost.
    public var limits: ImageLimits = .standard
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions = .standard

    /// The model's own.
    public init() {}

    var request: ImagePipeline.Request {
      ImagePipeline.Request(preprocessing: preprocessing, limits: limits, image: image)
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      if let logitScale, !logitScale.isFinite {
        throw ApusError(.argument, "the logit scale \(logitScale)", expected: "a finite number")
      }
      try inference.validate()
    }
  }
}
