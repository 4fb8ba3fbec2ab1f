import TensorCore

/// Every `stride`-th index from `begin` up to `end` (not included) along each axis of operand 0; operands 1,
/// 2 and 3 are begin, end and strides, and the bits of the masks speak of their elements.
///
/// `beginMask` and `endMask` leave a bound open; `ellipsisMask` stands for as many full axes as are not
/// spoken of; `newAxisMask` inserts an axis of dimension 1; `shrinkAxisMask` takes one index and drops the
/// axis. Negative bounds count from behind. With `offset`, `end` is a length counted from `begin`.
package struct StridedSlice: Operation {
  package let beginMask: Int
  package let endMask: Int
  package let ellipsisMask: Int
  package let newAxisMask: Int
  package let shrinkAxisMask: Int
  package let offset: Bool
  package var name: String { "stridedSlice" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init(
    beginMask: Int = 0, endMask: Int = 0, ellipsisMask: Int = 0, newAxisMask: Int = 0,
    shrinkAxisMask: Int = 0,
    offset: Bool = false
  ) {
    self.beginMask = beginMask
    self.endMask = endMask
    self.ellipsisMask = ellipsisMask
    self.newAxisMask = newAxisMask
    self.shrinkAxisMask = shrinkAxisMask
    self.offset = offset
  }

  /// What is taken along one axis of the result, before shrunk axes are dropped.
  private struct Cut {
    /// The axis of the operand; nil for a new one.
    var source: Int?
    var begin = 0
    var step = 1
    var count = 1
    var isDropped = false

    /// All of the next axis of `shape`.
    static func whole(_ axis: inout Int, of shape: Shape) throws(ApusError) -> Cut {
      guard axis < shape.rank else { throw mismatch(shape) }
      axis += 1
      return Cut(source: axis - 1, count: shape[axis - 1])
    }

    static func mismatch(_ shape: Shape) -> ApusError {
      ApusError(.malformedModel, "indices and masks that do not fit shape \(shape)", expected: "its rank")
    }
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(4...4)
    let cuts = try cuts(operands)
    return [try operands.result(Shape(cuts.filter { !$0.isDropped }.map(\.count)), like: 0)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2, 3] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let strides = try context.operands.input(0).shape.strides
    let cuts = try cuts(context.operands).filter { $0.source != nil }
    guard !cuts.contains(where: { $0.count == 0 }) else { return .nothing }
    let steps = cuts.map { cut in cut.source.map { strides[$0] } ?? 0 }
    let start = zip(cuts, steps).reduce(0) { $0 + $1.0.begin * $1.1 }
    let copy = StridedCopy(
      dense: cuts.map(\.count), source: zip(cuts, steps).map { $0.count == 1 ? 0 : $0.step * $1 }, from: start
    )
    return try .copy(copy, context)
  }

  private func cuts(_ operands: Operands) throws(ApusError) -> [Cut] {
    let shape = try operands.input(0).shape
    let begin = try operands.requireIntegers(1, "the beginning")
    let end = try operands.requireIntegers(2, "the end", count: begin.count)
    let strides = try operands.requireIntegers(3, "the strides", count: begin.count)
    guard begin.count <= 31 else {
      throw ApusError(.malformedModel, "\(begin.count) indices", expected: "at most 31")
    }
    let rank = shape.rank + begin.indices.filter { has(newAxisMask, $0) && !has(ellipsisMask, $0) }.count
    var cuts: [Cut] = []
    var axis = 0
    // Axes that an ellipsis takes besides the one at its own place; it takes that one even where the other
    // entries speak of all axes, and the last of them are then not heard.
    var expanded = 0
    while cuts.count < rank {
      let entry = cuts.count - expanded
      if expanded == 0, has(ellipsisMask, entry) {
        expanded = max(0, rank - begin.count)
        for _ in 0...expanded { cuts.append(try .whole(&axis, of: shape)) }
      } else if has(newAxisMask, entry) {
        cuts.append(Cut(source: nil))
      } else if entry >= begin.count {
        cuts.append(try .whole(&axis, of: shape))
      } else {
        let whole = try Cut.whole(&axis, of: shape)
        cuts.append(
          try cut(
            axis - 1, of: whole.count, entry, begin: begin[entry], end: end[entry], step: strides[entry]))
      }
    }
    guard axis == shape.rank, cuts.count == rank else { throw Cut.mismatch(shape) }
    return cuts
  }

  private func has(_ mask: Int, _ bit: Int) -> Bool { mask & (1 << bit) != 0 }

  private func cut(
    _ axis: Int, of extent: Int, _ entry: Int, begin: Int, end: Int, step: Int
  ) throws(ApusError) -> Cut {
    // With these limits no sum or difference below overflows.
    let limits = (Int(Int32.min) + 1)...Int(Int32.max)
    guard step != 0, limits.contains(step), limits.contains(begin), limits.contains(end)
    else {
      throw ApusError(
        .malformedModel, "begin \(begin), end \(end), stride \(step) along axis \(axis)",
        expected: "32-bit numbers and a stride that is not 0")
    }
    // The first and the last bound an index can have before it steps out of the axis.
    let bounds = step > 0 ? 0...extent : -1...(extent - 1)
    func bounded(_ index: Int) -> Int { min(max(index, bounds.lowerBound), bounds.upperBound) }
    var first = bounded(begin < 0 ? begin + extent : begin)
    if has(beginMask, entry) { first = step > 0 ? 0 : extent - 1 }
    if has(shrinkAxisMask, entry) {
      guard (0..<extent).contains(first) else {
        throw ApusError(
          .malformedModel, "index \(begin) into an axis of \(extent)", expected: "one that exists")
      }
      return Cut(source: axis, begin: first, step: 1, count: 1, isDropped: true)
    }
    let absolute = offset ? first + end : end
    var last = bounded(absolute < 0 && !offset ? absolute + extent : absolute)
    if has(endMask, entry) { last = step > 0 ? extent : -1 }
    let distance = step > 0 ? last - first : first - last
    let count = distance <= 0 ? 0 : (distance - 1) / abs(step) + 1
    return Cut(source: axis, begin: count == 0 ? 0 : first, step: step, count: count)
  }
}
