import TensorCore

/// Operand 0 with the first elements along `sequenceAxis` in reverse order: as many as operand 1 says for
/// each index along `batchAxis`. A run whose data has a length over the dimension throws.
package struct ReverseSequence: Operation {
  package let sequenceAxis: Int
  package let batchAxis: Int
  package var name: String { "reverseSequence" }

  package init(sequenceAxis: Int, batchAxis: Int) {
    self.sequenceAxis = sequenceAxis
    self.batchAxis = batchAxis
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0).shape
    let lengths = try operands.input(1, "the lengths", of: [.int32, .int64]).shape
    let batch = try shape.axis(batchAxis)
    guard try shape.axis(sequenceAxis) != batch, lengths.dimensions == [shape[batch]] else {
      throw ApusError(
        .malformedModel, "lengths of shape \(lengths) for axes \(sequenceAxis) and \(batchAxis) of \(shape)",
        expected: "two axes, and a length for each index along the second")
    }
    return [try operands.result(shape, like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let kernel = ReverseSequenceKernel(
      type.shape, sequence: try type.shape.axis(sequenceAxis), batch: try type.shape.axis(batchAxis),
      lengthType: try context.operands.input(1).dataType)
    return Lowering("reverse sequence", moving: type.dataType, kernel)
  }
}

/// Walks the tensor as [outer, low axis, middle, high axis, inner].
private struct ReverseSequenceKernel: WordKernel {
  let outer: Int
  let low: Int
  let middle: Int
  let high: Int
  let inner: Int
  /// Whether the low axis is the one that is reversed.
  let sequenceIsLow: Bool
  let lengthType: DataType

  init(_ shape: Shape, sequence: Int, batch: Int, lengthType: DataType) {
    let first = min(sequence, batch)
    let second = max(sequence, batch)
    outer = shape.dimensions[..<first].reduce(1, *)
    low = shape[first]
    middle = shape.dimensions[(first + 1)..<second].reduce(1, *)
    high = shape[second]
    inner = shape.dimensions[(second + 1)...].reduce(1, *)
    sequenceIsLow = sequence == first
    self.lengthType = lengthType
  }

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let lengths = IndexReader(arguments, 1, lengthType)
    try lengths.check(below: (sequenceIsLow ? low : high) + 1)
    guard let source = arguments.input(0, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    for row in 0..<outer * low * middle * high {
      let (rest, h) = row.quotientAndRemainder(dividingBy: high)
      let (block, m) = rest.quotientAndRemainder(dividingBy: middle)
      let l = block % low
      let position = sequenceIsLow ? l : h
      let length = lengths[sequenceIsLow ? h : l]
      let mirrored = position < length ? length - 1 - position : position
      let from =
        sequenceIsLow ? ((block - l + mirrored) * middle + m) * high + h : rest * high + mirrored
      (target + row * inner).update(from: source + from * inner, count: inner)
    }
  }
}
