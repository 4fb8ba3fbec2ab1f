import TensorCore

/// A tensor of the shape in operand 1: the elements of operand 2 stand where the rows of operand 0 say, and operand 3
/// everywhere else. One element may stand for all; where rows are the same, the last one counts. A vector of indices
/// has one for each element of a vector. A run whose data has an index that does not exist throws.
package struct SparseToDense: Operation {
  package var name: String { "sparseToDense" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(4...4)
    try operands.requireSameType(2...3)
    _ = try operands.input(1, "the shape", of: [.int32, .int64], rank: 1)
    let shape = try Shape(operands.requireIntegers(1, "the shape"))
    let values = try operands.input(2, "the values", of: [.float32, .int32, .int64, .int8, .uint8]).shape
    let rows = try rows(operands).shape
    guard rows[1] == shape.rank, values.rank == 0 || values.dimensions == [rows[0]] else {
      throw ApusError(
        .malformedModel, "indices of shape \(try operands.input(0).shape), values of shape \(values)",
        expected: "an index for each axis of \(shape), and one value or as many as rows")
    }
    guard try operands.input(3).shape.elementCount == 1 else {
      throw ApusError(
        .malformedModel, "a default of shape \(try operands.input(3).shape)", expected: "one element")
    }
    return [try operands.result(shape, like: 2).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  /// The indices as rows with one for each axis.
  private func rows(_ operands: Operands) throws(ApusError) -> TensorType {
    let indices = try operands.input(0, "the indices", of: [.int32, .int64])
    guard indices.shape.rank <= 2 else {
      throw ApusError(
        .malformedModel, "indices of shape \(indices.shape)", expected: "at most two axes")
    }
    let dimensions = indices.shape.dimensions
    let padded: [Int] = dimensions + [1, 1].dropFirst(dimensions.count)
    return TensorType(indices.dataType, try Shape(padded))
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let rows = SliceIndices(try rows(context.operands), into: context.result.shape)
    return Lowering("scatter", moving: context.result.dataType, SparseToDenseKernel(rows: rows))
  }
}

private struct SparseToDenseKernel: WordKernel {
  let rows: SliceIndices

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let indices = IndexReader(arguments, 0, rows.indexType)
    let values = arguments.input(2, as: Word.self)
    let target = arguments.output(0, as: Word.self)
    target.update(repeating: arguments.input(3, as: Word.self)[0])
    for row in 0..<rows.count {
      target[try rows.slice(row, indices)] = values[values.count == 1 ? 0 : row]
    }
  }
}
