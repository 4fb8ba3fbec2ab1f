import CIntrinsics
import CLibrary
import TensorCore

/// The hyperbolic tangent; float32, and quantized int8, uint8 and int16 (result scale 1/32768).
package struct Tanh: Operation {
  package var name: String { "tanh" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8, .int16])
    let input = try operands.input(0)
    switch input.dataType {
    case .float32: break
    case .int16: _ = try SigmoidTable(.tanh, input, result)
    default:
      _ = try input.uniformQuantization("the input")
      _ = try result.uniformQuantization("the result")
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    switch input.dataType {
    case .float32: return VectorMap.lowering(kernel, APUS_TANH, context.kernels)
    case .int16: return Lowering(kernel, body: try SigmoidTable(.tanh, input, context.result).body)
    default:
      let table = try ByteTable(input, context.result) { CLibrary.tanhf($0) }
      return Lowering(kernel, body: table.body(context.kernels))
    }
  }
}
