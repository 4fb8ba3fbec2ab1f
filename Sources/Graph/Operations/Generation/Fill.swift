import TensorCore

/// A tensor of the shape in operand 0 whose elements all are the one in operand 1.
package struct Fill: Operation {
  package var name: String { "fill" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let value = try operands.input(1)
    guard value.shape.elementCount == 1 else {
      throw ApusError(.malformedModel, "a value of shape \(value.shape)", expected: "one element")
    }
    return [try operands.result(Shape(operands.requireIntegers(0, "the shape")), like: 1).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let count = context.results[0].shape.elementCount
    return try .copy(StridedCopy(dense: [count], source: [0]), context, input: 1)
  }
}
