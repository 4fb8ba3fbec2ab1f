import TensorCore

/// Pads the axes after the first by the pairs in operand 2, cuts them into blocks of the sizes in operand 1,
/// and moves the position within a block into the first axis, before the batch. The padding is zero, which in
/// a quantized result is the zero point.
package struct SpaceToBatchND: Operation {
  package var name: String { "spaceToBatchND" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    let (block, padded, _) = try geometry(operands)
    var dimensions = padded.dimensions
    for (axis, size) in block.enumerated() {
      guard dimensions[axis + 1] % size == 0 else {
        throw ApusError(
          .malformedModel, "axis \(axis + 1) of the padded shape \(padded) in blocks of \(size)",
          expected: "a multiple of \(size) elements along it")
      }
      dimensions[axis + 1] /= size
      dimensions[0] = dimensions[0].times(size)
    }
    _ = try TensorType(operands.input(0).dataType, padded).limited()
    return [try operands.result(Shape(dimensions), like: 0).limited()]
  }

  private func geometry(_ operands: Operands) throws(ApusError) -> (
    block: [Int], padded: Shape, before: [Int]
  ) {
    let shape = try operands.input(0).shape
    let block = try operands.requireBlock(1, rank: shape.rank)
    let pads = try operands.requirePairs(2, "the paddings", count: block.count)
    var dimensions = shape.dimensions
    for (axis, pad) in pads.enumerated() { dimensions[axis + 1] += pad.before + pad.after }
    let others = [Int](repeating: 0, count: shape.rank - block.count - 1)
    return (block, try Shape(dimensions), [0] + pads.map(\.before) + others)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let result = context.results[0]
    let (block, padded, before) = try geometry(context.operands)
    let strides = padded.strides
    let spatial = block.indices.map { $0 + 1 }
    let rest = (block.count + 1)..<padded.rank
    let gather = StridedCopy(
      dense: block + [padded[0]] + spatial.map { padded[$0] / block[$0 - 1] } + rest.map { padded[$0] },
      source: spatial.map { strides[$0] } + [strides[0]] + spatial.map { strides[$0] * block[$0 - 1] }
        + rest.map { strides[$0] })
    return Lowering(
      "space to batch", moving: type.dataType,
      scratchByteCount: padded.elementCount * type.dataType.byteCount,
      SpaceToBatchKernel(
        interior: StridedCopy(paddedInterior: type.shape, of: padded, before: before),
        padding: .zero(of: result),
        count: padded.elementCount, gather: gather))
  }
}

private struct SpaceToBatchKernel: WordKernel {
  let interior: StridedCopy
  let padding: Int
  /// Elements of the padded tensor.
  let count: Int
  let gather: StridedCopy

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let padded = arguments.scratch.assumingMemoryBound(to: Word.self)
    padded.update(repeating: Word(truncatingIfNeeded: padding), count: count)
    interior.run(from: arguments.input(0, as: Word.self).baseAddress, to: padded, arguments)
    gather.run(from: UnsafePointer(padded), to: arguments.output(0, as: Word.self).baseAddress, arguments)
  }
}

extension Operands {
  /// Block sizes for axes 1, 2, … of a tensor of rank `rank`.
  func requireBlock(_ index: Int, rank: Int) throws(ApusError) -> [Int] {
    let block = try requireIntegers(index, "the block shape")
    guard block.count < rank, block.allSatisfy({ $0 > 0 }) else {
      throw ApusError(
        .malformedModel, "block shape \(block) for rank \(rank)", expected: "at most \(rank - 1) sizes over 0"
      )
    }
    return block
  }
}
