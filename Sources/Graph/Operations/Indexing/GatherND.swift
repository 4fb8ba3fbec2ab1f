import TensorCore

/// The slices of operand 0 whose leading indices are the rows of operand 1: the last axis of operand 1 holds
/// one index for each leading axis of operand 0. A run whose data has an index that does not exist throws.
package struct GatherND: Operation {
  package var name: String { "gatherND" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let params = try operands.input(0).shape
    let indices = try operands.input(1, "the indices", of: IndexReader.types).shape
    guard let depth = indices.dimensions.last, depth <= params.rank else {
      throw ApusError(
        .malformedModel, "indices of shape \(indices) into shape \(params)",
        expected: "a last dimension of at most \(params.rank)")
    }
    return [
      try operands.result(Shape(indices.dimensions.dropLast() + params.dimensions[depth...]), like: 0)
        .limited()
    ]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let params = try context.operands.input(0)
    let indices = try context.operands.input(1)
    let rows = SliceIndices(indices, into: params.shape)
    return Lowering("gather", moving: params.dataType, GatherRowsKernel(rows: rows))
  }
}

private struct GatherRowsKernel: WordKernel {
  let rows: SliceIndices

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let indices = IndexReader(arguments, 1, rows.indexType)
    guard let source = arguments.input(0, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    for row in 0..<rows.count {
      let slice = try rows.slice(row, indices)
      (target + row * rows.sliceSize).update(from: source + slice * rows.sliceSize, count: rows.sliceSize)
    }
  }
}
