import TensorCore

/// Operand 0 with operand 1 in place of the box that begins at operand 2. A box that would reach beyond operand 0 begins
/// where it still fits, as XLA's DynamicUpdateSlice defines it.
package struct DynamicUpdateSlice: Operation {
  package var name: String { "dynamicUpdateSlice" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try operands.requireSameType(0...1)
    let shape = try operands.input(0).shape
    let update = try operands.input(1).shape
    let start = try operands.input(2, "the beginning", of: [.int32, .int64], rank: 1).shape
    guard update.rank == shape.rank, start[0] == shape.rank,
      zip(update.dimensions, shape.dimensions).allSatisfy({ $0 <= $1 })
    else {
      throw ApusError(
        .malformedModel, "\(start[0]) indices and an update of shape \(update) for shape \(shape)",
        expected: "an index for each axis, and an update that fits")
    }
    return [try operands.result(shape, like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let update = try context.operands.input(1).shape
    let kernel = UpdateKernel(
      whole: StridedCopy(dense: [shape.elementCount], source: [1]),
      update: StridedCopy(update.dimensions, source: update.strides, target: shape.strides),
      lastStarts: zip(shape.dimensions, update.dimensions).map { $0 - $1 }, strides: shape.strides,
      indexType: try context.operands.input(2).dataType)
    return Lowering("update", moving: context.result.dataType, kernel)
  }
}

private struct UpdateKernel: WordKernel {
  let whole: StridedCopy
  let update: StridedCopy
  /// Along each axis the last index at which the update still fits.
  let lastStarts: [Int]
  let strides: [Int]
  let indexType: DataType

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    guard let target = arguments.output(0, as: Word.self).baseAddress else { return }
    whole.run(from: arguments.input(0, as: Word.self).baseAddress, to: target, arguments)
    let starts = IndexReader(arguments, 2, indexType)
    var offset = 0
    for axis in 0..<strides.count { offset += min(max(starts[axis], 0), lastStarts[axis]) * strides[axis] }
    update.run(from: arguments.input(1, as: Word.self).baseAddress, to: target + offset, arguments)
  }
}
