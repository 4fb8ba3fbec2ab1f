import TensorCore

/// The product of two tensors that broadcast, with a fused activation.
///
/// float32, int32, uint32 and int64 (which wrap), and quantized int8, uint8 and int16. Source of the integer
/// rule: TFLite's reference `Mul`.
package struct Multiply: IntegerMath {
  package let activation: Activation
  package var name: String { "multiply" }
  package var resultMeaning: ResultMeaning { .product(activation) }
  package var types: [DataType] { [.float32, .int32, .uint32, .int64, .int16, .int8, .uint8] }

  package init(activation: Activation = .none) { self.activation = activation }

  /// int16 without a scale is a plain integer.
  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> QuantizedProduct? {
    guard first.isQuantizedInteger else { return nil }
    return try QuantizedProduct(first, second, result, activation)
  }

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    let clamp = FloatClamp(activation)
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a * b) } } }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let clamp = IntegerClamp<Element>(activation)
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &* b) } } }
  }
}
