import TensorCore

/// The sum of two tensors that broadcast, with a fused activation.
///
/// float32, int32 and int64 (which wrap), and quantized int8, uint8 and int16. Source of the integer rule:
/// TFLite's reference `Add`.
package struct Add: AdditiveMath {
  package let activation: Activation
  package let potScaleInt16: Bool
  package static let subtracts = false
  package var name: String { "add" }
  package var resultMeaning: ResultMeaning { .sum(activation) }

  /// - Parameter potScaleInt16: whether int16 tensors whose scales are all powers of two take the exact rule
  ///   made for them (`AddOptions.pot_scale_int16`).
  package init(activation: Activation = .none, potScaleInt16: Bool = true) {
    self.activation = activation
    self.potScaleInt16 = potScaleInt16
  }
}
