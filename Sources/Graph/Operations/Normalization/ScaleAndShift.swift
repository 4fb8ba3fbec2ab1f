import Kernels
import TensorCore

/// Batch normalization with fixed statistics: `x · scale + offset`, channel by channel, limited by the activation. The
/// product is rounded before the sum is, as where both are operators of their own.
///
/// Operands: x float32 [..., C], scale [C] and offset [C], constants of a float type. Source of what it is for: Ioffe and
/// Szegedy 2015, "Batch Normalization".
package struct ScaleAndShift: Operation {
  package let activation: Activation
  package var name: String { "scaleAndShift" }

  package init(activation: Activation = .none) { self.activation = activation }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try activation.requireClamp()
    return [try operands.normalized(epsilon: 0, factors: [(1, "the scale"), (2, "the offset")])]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let layout = try LastAxis(context.result.shape)
    let scale = try TensorStorage(copying: context.operands.requireConstant(1, "the scale").floats())
    let offset = try TensorStorage(copying: context.operands.requireConstant(2, "the offset").floats())
    let (kernels, length, clamp) = (context.kernels, layout.length, FloatClamp(activation))
    let nanoseconds = length / kernels.float.lanes + 2
    return RowMap.lowering("\(name) float32", layout, nanoseconds: nanoseconds, kernels) {
      kernels.float.scaleRows($0, $1, scale.base, offset.base, $2, length, clamp.lower, clamp.upper)
    }
  }
}
