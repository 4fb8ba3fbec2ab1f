import Images
import Networks
import TensorCore

extension ImageClassifier {
  /// How a classifier is set up. The defaults suit MobileNets and most other TFLite classifiers.
  public struct Options: Sendable {
    /// Model files to try in order when the first is refused: float16 after int8, say.
    public var fallbacks: [String] = []
    /// The path of a `meta.json` with the model's threshold, input size and preprocessing. Nil takes the one
    /// beside the model, if it fits.
    public var metadata: String?
    /// The score below which the best prediction is uncertain, from 0 to 1. Nil takes that of the metadata
    /// file, or else ``standardThreshold``.
    public var threshold: Float?
    /// How pictures are prepared. Nil takes what the metadata and the input's type say.
    public var preprocessing: PreprocessingProfile?
    /// What the model's output is. Nil lets the model show it.
    public var scores: ScoreMeaning?
    /// Precision and threads. TFLite files are computed in their own numbers.
    public var inference = InferenceOptions()
    /// What decoding a picture may cost.
    public var limits: ImageLimits = .standard
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions = .standard

    /// The threshold where neither the options nor the metadata state one.
    public static let standardThreshold: Float = 0.75

    /// What suits MobileNets and most other TFLite classifiers.
    public init() {}

    var request: ImagePipeline.Request {
      ImagePipeline.Request(
        preprocessing: preprocessing, metadata: metadata, limits: limits, image: image)
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      if let threshold, !(0...1).contains(threshold) {
        throw ApusError(.argument, "the threshold \(threshold)", expected: "a number from 0 to 1")
      }
      try inference.validate()
    }
  }
}
