import TensorCore

/// Undoes ``SpaceToBatchND``: moves the position within blocks of the sizes in operand 1 from the first axis
/// back into those after it, and crops these by the pairs in operand 2.
package struct BatchToSpaceND: Operation {
  package var name: String { "batchToSpaceND" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    let (_, whole, crops) = try geometry(operands)
    var dimensions = whole.dimensions
    for (axis, crop) in crops.enumerated() {
      dimensions[axis + 1] -= crop.before + crop.after
      guard dimensions[axis + 1] >= 0 else {
        throw ApusError(
          .malformedModel, "crops \(crop.before) and \(crop.after) along axis \(axis + 1) of shape \(whole)",
          expected: "at most \(whole[axis + 1]) together")
      }
    }
    _ = try TensorType(operands.input(0).dataType, whole).limited()
    return [try operands.result(Shape(dimensions), like: 0).limited()]
  }

  private func geometry(
    _ operands: Operands
  ) throws(ApusError) -> (block: [Int], whole: Shape, crops: [(before: Int, after: Int)]) {
    let shape = try operands.input(0).shape
    let block = try operands.requireBlock(1, rank: shape.rank)
    let crops = try operands.requirePairs(2, "the crops", count: block.count)
    let blockSize = block.reduce(1) { $0.times($1) }
    var dimensions = shape.dimensions
    guard let batch = dimensions.first, batch % blockSize == 0 else {
      throw ApusError(
        .malformedModel, "a batch of \(shape.dimensions.first ?? 0) for blocks of \(block)",
        expected: "a multiple of \(blockSize)")
    }
    dimensions[0] = batch / blockSize
    for (axis, size) in block.enumerated() { dimensions[axis + 1] = dimensions[axis + 1].times(size) }
    return (block, try Shape(dimensions), crops)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let result = context.results[0].shape
    let (block, whole, crops) = try geometry(context.operands)
    let spatial = block.indices.map { $0 + 1 }
    let rest = Array((block.count + 1)..<whole.rank)
    // The operand seen as [block…, batch, space…, rest…].
    let view = try Shape(block + [whole[0]] + (spatial + rest).map { type.shape[$0] })
    let steps = view.strides
    let n = block.count
    let scatter = StridedCopy(
      dense: [whole[0]] + spatial.flatMap { [type.shape[$0], block[$0 - 1]] } + rest.map { whole[$0] },
      source: [steps[n]] + spatial.flatMap { [steps[n + $0], steps[$0 - 1]] } + rest.map { steps[n + $0] })
    let start = zip(crops, spatial).reduce(0) { $0 + $1.0.before * whole.strides[$1.1] }
    let crop = StridedCopy(dense: result.dimensions, source: whole.strides, from: start)
    return Lowering(
      "batch to space", moving: type.dataType, scratchByteCount: whole.elementCount * type.dataType.byteCount,
      BatchToSpaceKernel(scatter: scatter, crop: crop))
  }
}

private struct BatchToSpaceKernel: WordKernel {
  let scatter: StridedCopy
  let crop: StridedCopy

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let whole = arguments.scratch.assumingMemoryBound(to: Word.self)
    scatter.run(from: arguments.input(0, as: Word.self).baseAddress, to: whole, arguments)
    crop.run(from: UnsafePointer(whole), to: arguments.output(0, as: Word.self).baseAddress, arguments)
  }
}
