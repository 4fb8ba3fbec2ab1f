import TensorCore

/// Operand 0 with the slices in operand 2 where the rows of operand 1 say; of several for one place the last counts. A run whose
/// data has an index that does not exist throws. Source: ONNX's ScatterND, TensorFlow's `tensor_scatter_nd_update`.
package struct TensorScatterUpdate: Operation {
  package var name: String { "tensorScatterUpdate" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try operands.requireSameType([0, 2])
    let shape = try operands.input(0).shape
    let indices = try operands.input(1, "the indices", of: IndexReader.types).shape
    let updates = try operands.input(2, "the updates").shape
    guard let depth = indices.dimensions.last, depth <= shape.rank,
      updates.dimensions == Array(indices.dimensions.dropLast() + shape.dimensions[depth...])
    else {
      throw ApusError(
        .malformedModel, "indices of shape \(indices), updates of shape \(updates) for shape \(shape)",
        expected: "a slice for each row of the indices")
    }
    return [try operands.result(shape, like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let rows = SliceIndices(try context.operands.input(1), into: context.result.shape)
    return Lowering("scatter update", moving: context.result.dataType, ScatterUpdateKernel(rows: rows))
  }
}

private struct ScatterUpdateKernel: WordKernel {
  let rows: SliceIndices

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let indices = IndexReader(arguments, 1, rows.indexType)
    let updates = arguments.input(2, as: Word.self)
    let target = arguments.output(0, as: Word.self)
    _ = target.update(fromContentsOf: arguments.input(0, as: Word.self))
    let size = rows.sliceSize
    for row in 0..<rows.count {
      let slice = try rows.slice(row, indices)
      for element in 0..<size { target[slice * size + element] = updates[row * size + element] }
    }
  }
}
