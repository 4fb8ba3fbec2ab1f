import TensorCore

/// Operand 0 repeated along each axis as often as operand 1 says.
package struct Tile: Operation {
  package var name: String { "tile" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0).shape
    var dimensions: [Int] = []
    for (dimension, multiple) in zip(shape.dimensions, try multiples(operands)) {
      let (product, overflow) = dimension.multipliedReportingOverflow(by: multiple)
      guard !overflow, multiple >= 0 else {
        throw ApusError(
          .malformedModel, "\(multiple) repetitions of \(dimension)", expected: "0 or more, in bounds")
      }
      dimensions.append(product)
    }
    return [try operands.result(Shape(dimensions), like: 0).limited()]
  }

  private func multiples(_ operands: Operands) throws(ApusError) -> [Int] {
    try operands.requireIntegers(1, "the multiples", count: operands.input(0).shape.rank)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    var extents: [Int] = []
    var strides: [Int] = []
    for (axis, multiple) in try multiples(context.operands).enumerated() {
      extents += [multiple, shape[axis]]
      strides += [0, shape.strides[axis]]
    }
    return try .copy(StridedCopy(dense: extents, source: strides), context)
  }
}
