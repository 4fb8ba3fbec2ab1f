import Kernels
import TensorCore

/// Each row along the last axis less its mean, over its standard deviation, scaled and shifted:
/// `(x − μ) / √(σ² + ε) · scale + offset`.
///
/// Operands: x float32 [..., C], scale [C], offset [C]; the last two are constants of a float type. σ² is the
/// mean of the squared differences, without Bessel's correction. Source: Ba, Kiros and Hinton 2016.
package struct LayerNormalization: Operation {
  package let epsilon: Float
  package var name: String { "layerNormalization" }

  package init(epsilon: Float) { self.epsilon = epsilon }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    return [try operands.normalized(epsilon: epsilon, factors: [(1, "the scale"), (2, "the offset")])]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let layout = try LastAxis(context.result.shape)
    let scale = try TensorStorage(copying: context.operands.requireConstant(1, "the scale").floats())
    let offset = try TensorStorage(copying: context.operands.requireConstant(2, "the offset").floats())
    let (kernels, length, epsilon) = (context.kernels, layout.length, epsilon)
    // About a nanosecond for each vector in three passes, and the row's sums.
    let nanoseconds = length / kernels.float.lanes + 20
    return RowMap.lowering("\(name) float32", layout, nanoseconds: nanoseconds, kernels) {
      kernels.float.normalizeLayer($0, $1, scale.base, offset.base, $2, length, epsilon)
    }
  }
}

extension Operands {
  /// The type of operand 0 normalized along its last axis, with one constant for each column in each of `factors`.
  func normalized(epsilon: Float, factors: [(index: Int, role: String)]) throws(ApusError) -> TensorType {
    let shape = try input(0, of: [.float32]).shape
    let layout = try LastAxis(shape)
    try requireFactors(
      factors, width: layout.length, of: ", the last dimension of \(shape)", epsilon: epsilon)
    return try result(shape, of: .float32)
  }

  /// Requires what a normalisation is given besides its operand 0: an epsilon, and constants of a float type [width].
  /// - Parameter place: whose width it is, for errors.
  func requireFactors(
    _ factors: [(index: Int, role: String)], width: Int, of place: String = "", epsilon: Float
  ) throws(ApusError) {
    guard epsilon >= 0, epsilon.isFinite else {
      throw ApusError(.malformedModel, "epsilon \(epsilon)", expected: "a finite number of at least 0")
    }
    for (index, role) in factors {
      let type = try input(index, role, of: [.float32, .float16, .bfloat16])
      guard type.shape.dimensions == [width] else {
        throw ApusError(
          .malformedModel, "\(Operands.place(index, role)) has shape \(type.shape)",
          expected: "[\(width)]\(place)")
      }
      _ = try requireConstant(index, role)
    }
  }
}
