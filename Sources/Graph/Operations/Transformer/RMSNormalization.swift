import Kernels
import TensorCore

/// Each row along the last axis over the root of the mean of its squares, scaled: `x / √(mean of x² + ε) · scale`.
///
/// Operands: x float32 [..., C], scale [C], a constant of a float type. Source: Zhang and Sennrich 2019, "Root Mean
/// Square Layer Normalization".
package struct RMSNormalization: Operation {
  package let epsilon: Float
  package var name: String { "rmsNormalization" }

  package init(epsilon: Float) { self.epsilon = epsilon }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    return [try operands.normalized(epsilon: epsilon, factors: [(1, "the scale")])]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let layout = try LastAxis(context.result.shape)
    let scale = try TensorStorage(copying: context.operands.requireConstant(1, "the scale").floats())
    let (kernels, length, epsilon) = (context.kernels, layout.length, epsilon)
    // About a nanosecond for each vector in two passes, and the row's sum.
    let nanoseconds = length / kernels.float.lanes + 15
    return RowMap.lowering("\(name) float32", layout, nanoseconds: nanoseconds, kernels) {
      kernels.float.normalizeRootMeanSquare($0, $1, scale.base, $2, length, epsilon)
    }
  }
}
