/// What a classifier's model gives for one sample, before it is read as scores: for tools that look at more than
/// the best classes.
package struct ClassOutputs: Sendable {
  /// The number of each class, integers as the real numbers that they stand for. It may be NaN or infinite.
  package let values: [Float]
  /// From the decoded picture, or the text, to the model's input, in milliseconds.
  package let preparation: Double
  /// Running the model, in milliseconds.
  package let run: Double
  /// Bytes that the run worked in.
  package let workspaceByteCount: Int
}
