import TensorCore

/// Stacks tensors of one shape along a new axis; negative axes count from behind the last one.
package struct Pack: Operation {
  package let axis: Int
  package var name: String { "pack" }
  package var resultMeaning: ResultMeaning { .chosenNumbers }

  package init(axis: Int) { self.axis = axis }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...ResultLimit.resultCount)
    try operands.requireSameType(0..<operands.count)
    let shape = try operands.input(0).shape
    for index in 1..<max(operands.count, 1) {
      let other = try operands.input(index).shape
      guard other == shape else {
        throw ApusError(.malformedModel, "input \(index) has shape \(other)", expected: "\(shape)")
      }
    }
    guard axis >= -shape.rank - 1, axis <= shape.rank else {
      throw ApusError(
        .malformedModel, "new axis \(axis) for rank \(shape.rank)",
        expected: "\(-shape.rank - 1) to \(shape.rank)")
    }
    var dimensions = shape.dimensions
    dimensions.insert(operands.count, at: axis < 0 ? axis + shape.rank + 1 : axis)
    return [try operands.result(Shape(dimensions), like: 0).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    let whole = AxisView(result.shape, axis: axis < 0 ? axis + result.shape.rank : axis)
    let items = (0..<context.operands.count).map { index in
      CopyKernel.Item(
        input: index, output: 0,
        copy: StridedCopy(
          [whole.outer, whole.inner], source: [whole.inner, 1], target: [whole.extent * whole.inner, 1],
          to: index * whole.inner))
    }
    return Lowering("strided copy", moving: result.dataType, CopyKernel(items))
  }
}
