import Kernels
import TensorCore

/// A number, or `alpha` times it when it is negative; float32, and quantized int8, uint8 and int16.
package struct LeakyRelu: Operation {
  package let alpha: Float
  package var name: String { "leakyRelu" }

  package init(alpha: Float) { self.alpha = alpha }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard alpha.isFinite else {
      throw ApusError(.malformedModel, "alpha \(alpha)", expected: "a finite number")
    }
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8, .int16])
    if result.dataType != .float32 {
      _ = try QuantizedLeakyRelu(try operands.input(0), result, alpha)
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if input.dataType == .float32 {
      let alpha = alpha
      return Lowering(kernel) { $0.map { $0.apply { (x: Float) -> Float in x > 0 ? x : x * alpha } } }
    }
    let function = try QuantizedLeakyRelu(input, context.result, alpha)
    if input.dataType == .int16 {
      return Lowering(kernel) {
        $0.map {
          $0.apply { (x: Int16) -> Int16 in
            Int16(truncatingIfNeeded: min(32767, max(-32768, function(Int32(x)))))
          }
        }
      }
    }
    return Lowering(kernel, body: ByteTable(input.dataType) { function($0) }.body(context.kernels))
  }
}

private struct QuantizedLeakyRelu: Sendable {
  let inputZeroPoint: Int32
  let identity: FixedPointMultiplier
  let slope: FixedPointMultiplier
  let negates: Bool
  let outputOffset: Int32

  init(_ input: TensorType, _ result: TensorType, _ alpha: Float) throws(ApusError) {
    let from = try input.uniformQuantization("the input", symmetric16: false)
    let to = try result.uniformQuantization("the result", symmetric16: false)
    inputZeroPoint = from.zeroPoint
    identity = FixedPointMultiplier(Double(from.scale / to.scale))
    slope = FixedPointMultiplier(Double(abs(from.scale * alpha / to.scale)))
    negates = alpha < 0
    outputOffset = to.zeroPoint
  }

  /// The result before it is clamped to its type.
  @inline(__always)
  func callAsFunction(_ stored: Int32) -> Int32 {
    let value = stored &- inputZeroPoint
    if value >= 0 { return outputOffset &+ identity.apply(value) }
    let scaled = slope.apply(value)
    return negates ? outputOffset &- scaled : outputOffset &+ scaled
  }
}
