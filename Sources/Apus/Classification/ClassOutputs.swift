/// A classifier's outputs for one sample, before they become scores, for tools that look at more than the best classes.
package struct ClassOutputs: Sendable {
  /// The number of each class, integers as the real numbers that they stand for. It may be NaN or infinite.
  package let values: [Float]
  /// The logits before softmax; nil if not requested, or if the model has no softmax.
  package var logits: [Float]? = nil
  /// The input of the last layer, as a mean over all places of a picture; empty if not requested.
  package var features: [Float] = []
  /// From the decoded picture, or the text, to the model's input, in milliseconds.
  package let preparation: Double
  /// Running the model, in milliseconds.
  package let run: Double
  /// Bytes that the run worked in.
  package let workspaceByteCount: Int
}
