import CIntrinsics
import CLibrary
import TensorCore

/// `1 / (1 + e⁻ˣ)`; float32, and quantized int8, uint8 (result scale 1/256) and int16 (1/32768).
package struct Logistic: Operation {
  package var name: String { "logistic" }
  package var resultMeaning: ResultMeaning { .probabilities(.independent) }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8, .int16])
    let input = try operands.input(0)
    switch input.dataType {
    case .float32: break
    case .int16: _ = try SigmoidTable(.logistic, input, result)
    default:
      _ = try input.uniformQuantization("the input")
      let scale = try result.uniformQuantization("the result").scale
      guard scale == 1.0 / 256 else {
        throw ApusError(.unsupportedModel, "a result of scale \(scale)", expected: "1/256")
      }
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    switch input.dataType {
    case .float32: return VectorMap.lowering(kernel, APUS_SIGMOID, context.kernels)
    case .int16:
      return Lowering(kernel, body: try SigmoidTable(.logistic, input, context.result).body)
    default:
      return Lowering(kernel, body: try Self.table(input, context.result).body(context.kernels))
    }
  }

  /// Of quantized bytes.
  static func table(_ input: TensorType, _ result: TensorType) throws(ApusError) -> ByteTable {
    try ByteTable(input, result) { 1 / (1 + CLibrary.expf(-$0)) }
  }
}
