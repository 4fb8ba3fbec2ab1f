import TensorCore

/// The first of two tensors that broadcast minus the second, with a fused activation.
///
/// float32, int32 and int64 (which wrap), and quantized int8, uint8 and int16. Source of the integer rule:
/// TFLite's reference `Sub`.
package struct Subtract: AdditiveMath {
  package let activation: Activation
  package let potScaleInt16: Bool
  package static let subtracts = true
  package var name: String { "subtract" }

  /// - Parameter potScaleInt16: whether int16 tensors whose scales are all powers of two take the exact rule
  ///   made for them (`SubOptions.pot_scale_int16`).
  package init(activation: Activation = .none, potScaleInt16: Bool = true) {
    self.activation = activation
    self.potScaleInt16 = potScaleInt16
  }
}
