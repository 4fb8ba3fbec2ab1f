/// The type in which a `.tflite` file of int8 weights computes.
public enum ActivationType: String, Sendable, CaseIterable {
  /// Integers throughout.
  case int8
  /// Activations of 16 bits, symmetric about 0: nearer to the floats, and slower than int8. Inputs and outputs are floats.
  case int16
  /// Weights are widened before they are multiplied: the file is small, and its numbers are those of floats.
  case float
}
