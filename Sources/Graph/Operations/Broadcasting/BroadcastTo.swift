import TensorCore

/// Operand 0 repeated along axes of dimension 1, and along new leading axes, to the shape in operand 1.
package struct BroadcastTo: Operation {
  package var name: String { "broadcastTo" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0).shape
    let wanted = try Shape(operands.requireIntegers(1, "the shape"))
    guard shape.rank <= wanted.rank, try shape.broadcast(with: wanted) == wanted else {
      throw ApusError(
        .malformedModel, "shape \(shape) broadcast to \(wanted)", expected: "dimensions of 1 to grow")
    }
    return [try operands.result(wanted, like: 0).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let result = context.results[0].shape
    return try .copy(
      StridedCopy(dense: result.dimensions, source: shape.broadcastStrides(to: result)), context)
  }
}

extension Shape {
  /// The steps that walk a tensor of this shape as if it were broadcast to `result`: 0 along repeated axes.
  func broadcastStrides(to result: Shape) -> [Int] {
    let own = strides
    return result.dimensions.indices.map { axis in
      let position = axis - (result.rank - rank)
      return position < 0 || dimensions[position] == 1 ? 0 : own[position]
    }
  }
}
