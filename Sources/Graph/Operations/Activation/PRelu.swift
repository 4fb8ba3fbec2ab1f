import Kernels
import TensorCore

/// A number, or its channel's slope times it when it is negative.
///
/// Operand 1 holds the slopes and broadcasts to the shape of operand 0. float32; quantized int8 and uint8;
/// quantized int16 with int8 slopes.
package struct PRelu: Operation {
  package var name: String { "prelu" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let input = try operands.input(0, of: [.float32, .int8, .uint8, .int16])
    let slopes = try operands.input(1, "the slopes", of: [input.dataType == .int16 ? .int8 : input.dataType])
    guard try input.shape.broadcast(with: slopes.shape) == input.shape else {
      throw ApusError(
        .malformedModel, "slopes of shape \(slopes.shape) for an input of shape \(input.shape)",
        expected: "slopes that broadcast to the input")
    }
    let result = try operands.result(input.shape, like: 0)
    if input.dataType != .float32 { _ = try QuantizedPRelu(input, slopes, result) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (input, slopes) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(input.shape, slopes.shape)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if input.dataType == .float32 {
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (x: Float, slope: Float) -> Float in x >= 0 ? x : x * slope } }
      }
    }
    let function = try QuantizedPRelu(input, slopes, context.result)
    let body: Lowering.Body =
      switch input.dataType {
      case .int8: function.body(plan, Int8.self, Int8.self)
      case .uint8: function.body(plan, UInt8.self, UInt8.self)
      default: function.body(plan, Int16.self, Int8.self)
      }
    return Lowering(kernel, body: body)
  }
}

private struct QuantizedPRelu: Sendable {
  let inputZeroPoint: Int32
  let slopeZeroPoint: Int32
  let positive: FixedPointMultiplier
  let negative: FixedPointMultiplier
  let outputOffset: Int32

  init(_ input: TensorType, _ slopes: TensorType, _ result: TensorType) throws(ApusError) {
    let from = try input.uniformQuantization("input 0", symmetric16: false)
    let slope = try slopes.uniformQuantization("input 1", symmetric16: false)
    let to = try result.uniformQuantization("the result", symmetric16: false)
    inputZeroPoint = from.zeroPoint
    slopeZeroPoint = slope.zeroPoint
    positive = FixedPointMultiplier(Double(from.scale / to.scale))
    negative = FixedPointMultiplier(Double(from.scale * slope.scale / to.scale))
    outputOffset = to.zeroPoint
  }

  func body<Element: QuantizedElement, Slope: QuantizedElement>(
    _ plan: BroadcastPlan, _: Element.Type, _: Slope.Type
  ) -> Lowering.Body {
    let function = self
    return {
      $0.broadcast(plan) {
        $0.combine { (x: Element, slope: Slope) -> Element in
          let value = Int32(x) &- function.inputZeroPoint
          let scaled =
            value >= 0
            ? function.positive.apply(value)
            : function.negative.apply(value &* (Int32(slope) &- function.slopeZeroPoint))
          return Element(clamping: scaled &+ function.outputOffset)
        }
      }
    }
  }
}
