/// The number format in which linear layers and attention multiply. Activations between operations are
/// float32 in all of them.
public enum Precision: String, Sendable, CaseIterable {
  /// Products and sums in float32: the reference.
  case float32
  /// Operands rounded to bfloat16, sums in float32. Without the processor's bfloat16 products it is computed
  /// as ``float32``, which is then faster and more exact.
  case bfloat16
  /// Each row of the activations quantized to 8 bits as it comes, each row of the weights to 8 bits with a
  /// scale of its own; sums are exact integers.
  case int8
}
