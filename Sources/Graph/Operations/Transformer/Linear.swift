import Kernels
import TensorCore

/// Rows times the transpose of a matrix, `x · Wᵀ + b`, then an activation.
///
/// Operands: x float32 [..., K]; `parts` weights [Oᵢ, K], or [K, Oᵢ] if `weightsAreTransposed`, constants of float32,
/// float16, bfloat16, or int8 with one scale or one for each of Oᵢ; if `hasBias`, as many biases [Oᵢ], constants of a float type, any of which
/// may be left out; if `addsResidual`, a float32 tensor shaped like the result, which is added before the
/// activation. Result: float32 [..., ΣOᵢ], the parts' columns side by side.
package struct Linear: ResidualAddingOperation {
  package let parts: Int
  package let hasBias: Bool
  package let activation: Activation
  package let addsResidual: Bool
  /// Whether the weights are stored as the transpose of what they are in most files.
  package let weightsAreTransposed: Bool
  package var name: String { "linear" }

  package init(
    parts: Int = 1, hasBias: Bool, activation: Activation = .none, addsResidual: Bool = false,
    weightsAreTransposed: Bool = false
  ) {
    self.parts = parts
    self.hasBias = hasBias
    self.activation = activation
    self.addsResidual = addsResidual
    self.weightsAreTransposed = weightsAreTransposed
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard parts > 0, parts <= 64 else {
      throw ApusError(.malformedModel, "a linear layer of \(parts) parts", expected: "1 to 64")
    }
    try activation.requireOfRows()
    let count = residualIndex + (addsResidual ? 1 : 0)
    try operands.requireCount(count...count)
    let input = try operands.input(0)
    guard input.dataType == .float32, let depth = input.shape.dimensions.last, depth > 0 else {
      throw ApusError(.malformedModel, "an input \(input)", expected: "float32 of rank 1 or more, not empty")
    }
    var columns = 0
    for part in 0..<parts {
      columns += try LinearPart(operands, part, of: self, depth: depth).columns
    }
    let shape = try Shape(input.shape.dimensions.dropLast() + [columns])
    if addsResidual {
      let residual = try operands.input(residualIndex)
      guard residual.dataType == .float32, residual.shape == shape else {
        throw ApusError(.malformedModel, "a residual \(residual)", expected: "float32\(shape)")
      }
    }
    return [TensorType(.float32, shape)]
  }

  /// The same layer with another function.
  func applying(_ activation: Activation) -> Linear {
    Linear(
      parts: parts, hasBias: hasBias, activation: activation, addsResidual: addsResidual,
      weightsAreTransposed: weightsAreTransposed)
  }

  /// Where the residual stands among the operands: after x, weights and biases.
  var residualIndex: Int { 1 + parts * (hasBias ? 2 : 1) }

  func canAddResidual(_ operands: Operands, then activation: Activation) -> Bool {
    self.activation == .none && !addsResidual && (activation == .none || activation == .relu)
  }

  func addingResidual(then activation: Activation) -> any Operation {
    Linear(
      parts: parts, hasBias: hasBias, activation: activation, addsResidual: true,
      weightsAreTransposed: weightsAreTransposed)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { Set(1..<residualIndex) }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let depth = operands.inputs[0]?.shape.dimensions.last, let result = results.first else { return 0 }
    return [result.shape.elementCount, depth].saturatingProduct
  }
}
