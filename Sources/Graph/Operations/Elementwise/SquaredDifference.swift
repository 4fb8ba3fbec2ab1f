import Kernels
import TensorCore

/// The square of the difference of two tensors that broadcast.
///
/// float32, int32 and int64 (which wrap) and quantized int8. Source of the integer rule: TFLite's
/// `SquaredDifference`.
package struct SquaredDifference: IntegerMath {
  package var name: String { "squaredDifference" }
  package var types: [DataType] { [.float32, .int32, .int64, .int8] }

  package init() {}

  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> QuantizedSquaredDifference? {
    first.dataType == .int8 ? try QuantizedSquaredDifference(first, second, result) : nil
  }

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in (a - b) * (a - b) } } }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return {
      $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in (a &- b) &* (a &- b) } }
    }
  }
}

/// What squaring the difference of two quantized int8 tensors takes.
package struct QuantizedSquaredDifference: StoredBinaryMath {
  let firstOffset: Int32
  let secondOffset: Int32
  let first: FixedPointMultiplier
  let second: FixedPointMultiplier
  let output: FixedPointMultiplier
  let outputOffset: Int32

  init(_ first: TensorType, _ second: TensorType, _ result: TensorType) throws(ApusError) {
    let one = try first.uniformQuantization("input 0")
    let two = try second.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    let twiceLarger = Double(2 * max(one.scale, two.scale))
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    self.first = FixedPointMultiplier(Double(one.scale) / twiceLarger)
    self.second = FixedPointMultiplier(Double(two.scale) / twiceLarger)
    output = FixedPointMultiplier(twiceLarger * twiceLarger / Double(Float(1 << 14) * out.scale))
    outputOffset = out.zeroPoint
  }

  @inline(__always)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let difference =
      first.apply((a &+ firstOffset) &<< 7) &- second.apply((b &+ secondOffset) &<< 7)
    return min(127, max(-128, output.apply(difference &* difference) &+ outputOffset))
  }
}
