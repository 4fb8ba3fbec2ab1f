import Graph
import Kernels
import TensorCore
import Testing

/// Runs `operation` on tensors.
func evaluate(
  _ operation: some Operation, _ inputs: [Tensor], result: TensorType? = nil, threads: Int = 1
) throws -> Tensor {
  let operands = Operands(
    inputs: inputs.map(\.type), constants: inputs, declared: result.map { [$0] } ?? [])
  let types = try operation.outputTypes(operands)
  let context = LoweringContext(operands: operands, results: types, kernels: .best)
  let results = try Evaluator.evaluate(
    operation.lowering(context), operands: operands, results: types, threads: threads)
  return try #require(results.first)
}
