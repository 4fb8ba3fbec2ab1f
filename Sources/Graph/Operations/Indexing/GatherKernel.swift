import TensorCore

/// Copies the slices that indices name: the source is [batch, outer, extent, inner], the indices are
/// [batch, count], the result is [batch, outer, count, inner].
struct GatherKernel: WordKernel {
  let batch: Int
  let outer: Int
  let extent: Int
  let inner: Int
  let count: Int
  let indexType: DataType
  /// Whether negative indices count from the end.
  var countsFromEnd = false
  /// The positions of the operands.
  var sourceInput = 0
  var indexInput = 1

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let indices = IndexReader(arguments, indexInput, indexType)
    try indices.check(from: countsFromEnd ? -extent : 0, below: extent)
    guard let source = arguments.input(sourceInput, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    arguments.parallel(batch * outer * count, grain: max(1, (1 << 16) / inner)) { range in
      for slice in range {
        let (block, position) = slice.quotientAndRemainder(dividingBy: count)
        let named = indices[block / outer * count + position]
        let index = named < 0 ? named + extent : named
        (target + slice * inner).update(from: source + (block * extent + index) * inner, count: inner)
      }
    }
  }
}
