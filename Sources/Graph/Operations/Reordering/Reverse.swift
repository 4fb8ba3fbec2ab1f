import TensorCore

/// Operand 0 with the order along the axes in operand 1 turned around.
package struct Reverse: Operation {
  package var name: String { "reverse" }
  package var resultMeaning: ResultMeaning { .reorderedNumbers }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    _ = try axes(operands)
    return [try operands.result(operands.input(0).shape, like: 0)]
  }

  private func axes(_ operands: Operands) throws(ApusError) -> Set<Int> {
    let shape = try operands.input(0).shape
    var axes = Set<Int>()
    for listed in try operands.requireIntegers(1, "the axes") {
      guard axes.insert(try shape.axis(listed)).inserted else {
        throw ApusError(.malformedModel, "axis \(listed) twice", expected: "each axis at most once")
      }
    }
    return axes
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    var strides = shape.strides
    var start = 0
    for axis in try axes(context.operands) {
      start += (shape[axis] - 1) * strides[axis]
      strides[axis] = -strides[axis]
    }
    return try .copy(StridedCopy(dense: shape.dimensions, source: strides, from: start), context)
  }
}
