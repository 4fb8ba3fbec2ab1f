import TensorCore

/// The box of operand 0 that begins at operand 1 and has the size in operand 2, where −1 means up to the end.
package struct Slice: Operation {
  package var name: String { "slice" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    return [try operands.result(Shape(box(operands).map(\.count)), like: 0)]
  }

  private func box(_ operands: Operands) throws(ApusError) -> [Range<Int>] {
    let shape = try operands.input(0).shape
    let begin = try operands.requireIntegers(1, "the beginning", count: shape.rank)
    let size = try operands.requireIntegers(2, "the size", count: shape.rank)
    var box: [Range<Int>] = []
    for axis in shape.dimensions.indices {
      let extent = shape[axis]
      guard begin[axis] >= 0, begin[axis] <= extent, size[axis] >= -1, size[axis] <= extent - begin[axis]
      else {
        throw ApusError(
          .malformedModel, "\(size[axis]) elements from \(begin[axis]) along axis \(axis) of shape \(shape)",
          expected: "a range within 0..<\(extent)")
      }
      box.append(begin[axis]..<(size[axis] < 0 ? extent : begin[axis] + size[axis]))
    }
    return box
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let strides = try context.operands.input(0).shape.strides
    let box = try box(context.operands)
    let start = zip(box, strides).reduce(0) { $0 + $1.0.lowerBound * $1.1 }
    return try .copy(StridedCopy(dense: box.map(\.count), source: strides, from: start), context)
  }
}
