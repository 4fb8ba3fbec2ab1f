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

  package init(
    beginMask: Int = 0, endMask: Int = 0, ellipsisMask: Int = 0, newAxisMask: Int = 0, shrinkAxisMask: Int = 0,
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
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(4...4)
    let cuts = try cuts(operands)
    return [try operands.moved(Shape(cuts.filter { !$0.isDropped }.map(\.count)))]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2, 3] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let strides = try context.operands.input(0).shape.strides
    let cuts = try cuts(context.operands).filter { $0.source != nil }
    guard !cuts.contains(where: { $0.count == 0 }) else { return .nothing }
    let steps = cuts.map { cut in cut.source.map { strides[$0] } ?? 0 }
    let start = zip(cuts, steps).reduce(0) { $0 + $1.0.begin * $1.1 }
    let copy = StridedCopy(
      dense: cuts.map(\.count), source: zip(cuts, steps).map { $0.count == 1 ? 0 : $0.step * $1 }, from: start)
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
    let entries = begin.indices
    // An ellipsis where a new axis is asked for wins.
    let ellipsis = entries.first { has(ellipsisMask, $0) }
    let spoken = entries.filter { $0 != ellipsis && !isNewAxis($0) }.count
    guard spoken <= shape.rank else {
      throw ApusError(.malformedModel, "\(spoken) indices into shape \(shape)", expected: "at most its rank")
    }
    var cuts: [Cut] = []
    var axis = 0
    func takeWhole(_ count: Int) {
      for _ in 0..<count {
        cuts.append(Cut(source: axis, count: shape[axis]))
        axis += 1
      }
    }
    for entry in entries {
      if entry == ellipsis {
        takeWhole(shape.rank - spoken)
      } else if isNewAxis(entry) {
        cuts.append(Cut(source: nil))
      } else {
        cuts.append(
          try cut(axis, of: shape[axis], entry, begin: begin[entry], end: end[entry], step: strides[entry]))
        axis += 1
      }
    }
    takeWhole(shape.rank - axis)
    return cuts
  }

  private func has(_ mask: Int, _ bit: Int) -> Bool { mask & (1 << bit) != 0 }

  private func isNewAxis(_ entry: Int) -> Bool { has(newAxisMask, entry) && !has(ellipsisMask, entry) }

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
        throw ApusError(.malformedModel, "index \(begin) into an axis of \(extent)", expected: "one that exists")
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
