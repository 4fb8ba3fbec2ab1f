import Kernels
import TensorCore
import Testing

@testable import Graph

/// Runs `operation` on tensors.
func evaluate(
  _ operation: some Operation, _ inputs: [Tensor], result: TensorType? = nil, threads: Int = 1
) throws -> Tensor {
  let operands = Operands(
    inputs: inputs.map(\.type), constants: inputs, declared: result.map { [$0] } ?? [])
  let types = try operation.outputTypes(operands)
  let context = LoweringContext(operands: operands, results: types, kernels: .best)
  let results = try Evaluator.evaluate(
    operation.lower(context), operands: operands, results: types, threads: threads)
  return try #require(results.first)
}

/// Checks one test vector: integers and truth values equal; floats within 10⁻⁵ of the reference's value, or
/// of a tenth where that is smaller, or of a tenth of the result's greatest number for sums of products.
func check(_ vector: OperationVectors.Case) throws {
  let inputs = try vector.inputs.map { try $0.tensor }
  let expected = try vector.output.tensor
  let operation = try vector.makeOperation()
  let found = try evaluate(operation, inputs, result: expected.type)
  #expect(found.type == expected.type)
  if expected.dataType == .float32 {
    let reference = try expected.elements(of: Float.self)
    let greatest = vector.operation == "BatchMatMul" ? reference.map(abs).max() ?? 0 : 1
    let pairs = zip(try found.elements(of: Float.self), reference)
    for (index, (a, b)) in pairs.enumerated() where !isClose(a, b, floor: greatest / 10) {
      Issue.record("element \(index) is \(a), the reference gives \(b)")
      return
    }
  } else if expected.dataType == .bool {
    #expect(found.withBytes { Array($0) } == expected.withBytes { Array($0) })
  } else {
    let (a, b) = (try found.integers(), try expected.integers())
    if a != b {
      let differing = zip(a, b).enumerated().filter { $1.0 != $1.1 }
      Issue.record("\(differing.count) of \(a.count) differ, the first: \(differing[0])")
    }
  }
}

private func isClose(_ a: Float, _ b: Float, floor: Float) -> Bool {
  if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
  return a == b || abs(a - b) <= 1e-5 * max(abs(b), floor)
}
