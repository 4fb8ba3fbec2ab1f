import Kernels
import TensorCore

/// What ``Add`` and ``Subtract`` have in common.
package protocol AdditiveMath: IntegerMath where Quantized == QuantizedAddParameters {
  static var subtracts: Bool { get }
  /// Whether int16 tensors whose scales are all powers of two take the exact rule made for them.
  var potScaleInt16: Bool { get }
}

extension AdditiveMath {
  package var types: [DataType] { [.float32, .int32, .int64, .int16, .int8, .uint8] }

  /// int16 without a scale is a plain integer.
  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> QuantizedAddParameters? {
    guard first.isQuantizedInteger else { return nil }
    _ = try powerOfTwo(first, second, result)
    return try QuantizedAddParameters(first, second, result, activation, subtracts: Self.subtracts)
  }

  private func powerOfTwo(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> PowerOfTwoAddition? {
    guard potScaleInt16, result.dataType == .int16, first.quantization != nil else { return nil }
    return try PowerOfTwoAddition(first, second, result, activation, subtracts: Self.subtracts)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    if let addition = try powerOfTwo(first, second, context.result) {
      let plan = try BroadcastPlan(first.shape, second.shape)
      return Lowering("\(name) int16 power of two") {
        $0.broadcast(plan) { $0.combine { addition($0, $1) } }
      }
    }
    return try pairwise(context)
  }

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    let clamp = FloatClamp(activation)
    if Self.subtracts {
      return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a - b) } } }
    }
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a + b) } } }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let clamp = IntegerClamp<Element>(activation)
    if Self.subtracts {
      return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &- b) } } }
    }
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &+ b) } } }
  }
}
