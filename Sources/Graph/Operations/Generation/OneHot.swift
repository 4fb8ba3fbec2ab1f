import TensorCore

/// A new axis of as many elements as operand 1 says, in which the element at the index from operand 0 is
/// operand 2 and all others are operand 3; an index that does not exist leaves them all so.
package struct OneHot: Operation {
  package let axis: Int
  package var name: String { "oneHot" }

  /// - Parameter axis: where the new axis goes; −1 is behind the last one.
  package init(axis: Int = -1) { self.axis = axis }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(4...4)
    try operands.requireSameType(2...3)
    let shape = try operands.input(0, "the indices", of: [.int32, .int64]).shape
    let depth = try operands.requireInteger(1, "the depth")
    guard axis >= -1, axis <= shape.rank, depth >= 0 else {
      throw ApusError(
        .malformedModel, "depth \(depth) as axis \(axis) for rank \(shape.rank)",
        expected: "a depth of 0 or more, an axis from -1 to \(shape.rank)")
    }
    for index in 2...3 where try operands.input(index).shape.elementCount != 1 {
      throw ApusError(
        .malformedModel, "input \(index) has shape \(try operands.input(index).shape)",
        expected: "one element")
    }
    var dimensions = shape.dimensions
    dimensions.insert(depth, at: axis < 0 ? shape.rank : axis)
    return [try operands.result(Shape(dimensions), like: 2).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    let view = AxisView(result.shape, axis: axis < 0 ? result.shape.rank - 1 : axis)
    let indexType = try context.operands.input(0).dataType
    return Lowering("one hot", moving: result.dataType, OneHotKernel(view: view, indexType: indexType))
  }
}

private struct OneHotKernel: WordKernel {
  let view: AxisView
  let indexType: DataType

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let indices = IndexReader(arguments, 0, indexType)
    let on = arguments.input(2, as: Word.self)[0]
    let target = arguments.output(0, as: Word.self)
    target.update(repeating: arguments.input(3, as: Word.self)[0])
    for position in 0..<indices.count {
      let index = indices[position]
      guard index >= 0, index < view.extent else { continue }
      let (outer, inner) = position.quotientAndRemainder(dividingBy: view.inner)
      target[(outer * view.extent + index) * view.inner + inner] = on
    }
  }
}
