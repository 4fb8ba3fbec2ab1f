import Networks
import TensorCore

/// How a text model is set up. The defaults are the model's own.
public struct TextOptions: Sendable {
  /// Precision and threads.
  public var inference = InferenceOptions()
  /// The score below which a classifier's best class is uncertain, from 0 to 1. Nil takes the
  /// `threshold_default` of a `meta.json` in the model's folder, or else 0: nothing is uncertain.
  public var threshold: Float?

  /// The model's own.
  public init() {}

  /// - Throws: ``ApusError`` of kind `argument`.
  func validate() throws(ApusError) {
    if let threshold, !(0...1).contains(threshold) {
      throw ApusError(.argument, "the threshold \(threshold)", expected: "a number from 0 to 1")
    }
    try inference.validate()
  }
}
