import Networks
import TensorCore

extension TextClassifier {
  /// How a classifier is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// A file with a label for each class, in place of the model's own: a line for each, or JSON, which may hold more
    /// of each class (``LabelDetails``).
    public var labels: String?
    /// The score below which a class is uncertain, from 0 to 1. Nil takes the `threshold_default` of a `meta.json` in
    /// the model's folder, or else the one in a `.tflite` file's metadata, or else 0: nothing is uncertain.
    public var threshold: Float?
    /// Precision and threads.
    public var inference: InferenceOptions

    /// Omitted arguments default to the model's own.
    public init(
      labels: String? = nil, threshold: Float? = nil, inference: InferenceOptions = InferenceOptions()
    ) {
      self.labels = labels
      self.threshold = threshold
      self.inference = inference
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      try Threshold.validate(threshold)
      try inference.validate()
    }
  }
}

extension TextClassifier.Options: JSONOptions {
  /// The model's own.
  public static var standard: Self { Self() }

  /// `labels` (a file), `threshold`, and the keys of ``InferenceOptions``.
  public static var settings: Settings<Self> {
    .setting(.labels, \.labels, .text) + .setting(.threshold, \.threshold, .fraction)
      + InferenceOptions.settings.inside(\.inference)
  }
}
