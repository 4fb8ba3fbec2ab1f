import Kernels
import TensorCore

/// `e^(βx)` divided by its sum along the last axis.
///
/// float32; quantized int8 or uint8 to the same type or to int16; int16 to int16. The results of integer
/// kinds have the scale that covers 0…1: 1/256 for 8 bits, 1/32768 for int16 from int16, 1/65536 for int16
/// from 8 bits. Source of the integer rules: TFLite's reference `Softmax` and `SoftmaxInt16`.
package struct Softmax: Operation {
  package let beta: Float
  package var name: String { "softmax" }
  package var resultMeaning: ResultMeaning { .probabilities(.exclusive) }

  package init(beta: Float = 1) { self.beta = beta }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard beta.isFinite else { throw ApusError(.malformedModel, "beta \(beta)", expected: "a finite number") }
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: [.float32, .int8, .uint8, .int16])
    _ = try LastAxis(input.shape)
    let result = try operands.declaredResult(input.shape)
    switch (input.dataType, result.dataType) {
    case (.float32, .float32): break
    case (.int8, .int8):
      try requireOutput(result, scale: 1.0 / 256, zeroPoint: -128)
      _ = try ExponentialTable(input, beta: beta)
    case (.uint8, .uint8), (.int8, .int16), (.uint8, .int16): _ = try ExponentialTable(input, beta: beta)
    case (.int16, .int16):
      try requireOutput(result, scale: 1.0 / 32768, zeroPoint: 0)
      _ = try Softmax16(input, beta: beta)
    default:
      throw ApusError(
        .unsupportedModel, "softmax from \(input.dataType.rawValue) to \(result.dataType.rawValue)",
        expected: "float32, int8, uint8 or int16 to the same type, or int8 or uint8 to int16")
    }
    return [result]
  }

  private func requireOutput(_ result: TensorType, scale: Float, zeroPoint: Int32) throws(ApusError) {
    let found = try result.uniformQuantization("the result")
    guard abs(found.scale - scale) <= 0.001 * scale, found.zeroPoint == zeroPoint else {
      throw ApusError(
        .unsupportedModel, "a result of scale \(found.scale) and zero point \(found.zeroPoint)",
        expected: "scale \(scale) and zero point \(zeroPoint)")
    }
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let layout = try LastAxis(input.shape)
    let result = context.result.dataType
    let kernel = "softmax \(input.dataType.rawValue)"
    switch (input.dataType, result) {
    case (.float32, _): return floatLowering(kernel, layout, context.kernels)
    case (.int16, _): return Lowering(kernel, body: try Softmax16(input, beta: beta).body(layout))
    default: break
    }
    let table = try ExponentialTable(input, beta: beta)
    let body: Lowering.Body =
      switch (input.dataType, result) {
      case (.int8, .int8): softmax8(table, layout, Int8.self, Int8.self)
      case (.int8, _): softmax8(table, layout, Int8.self, Int16.self)
      case (_, .uint8): softmax8(table, layout, UInt8.self, UInt8.self)
      default: softmax8(table, layout, UInt8.self, Int16.self)
      }
    return Lowering("\(kernel) \(result.rawValue)", body: body)
  }

  private func floatLowering(_ kernel: String, _ layout: LastAxis, _ kernels: KernelSet) -> Lowering {
    let (beta, length) = (beta, layout.length)
    // About three nanoseconds for a vector, and for the row's two results from all lanes five more.
    let nanoseconds = 3 * (length / kernels.float.lanes) + 8
    return RowMap.lowering(kernel, layout, nanoseconds: nanoseconds, kernels) {
      kernels.float.softmax($0, $1, $2, length, beta)
    }
  }
}
