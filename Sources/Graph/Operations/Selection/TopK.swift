import TensorCore

/// The k greatest elements of each row (the last axis), greatest first, and their positions as int32; k is
/// operand 1. Of equal elements the one with the lower position comes first.
package struct TopK: Operation {
  package var name: String { "topK" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0, "the values", of: Lowering.comparableTypes).shape
    let k = try operands.requireInteger(1, "k")
    guard let row = shape.dimensions.last, k >= 0, k <= row, row <= Int(Int32.max) else {
      throw ApusError(.malformedModel, "k = \(k) of shape \(shape)", expected: "at most its last dimension")
    }
    let result = try Shape(shape.dimensions.dropLast() + [k])
    return [try operands.result(result, like: 0), try operands.result(result, of: .int32, at: 1)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let result = context.results[0].shape
    guard let row = type.shape.dimensions.last, let k = result.dimensions.last else { return .nothing }
    return Lowering("top k", comparing: type.dataType, TopKKernel(row: row, k: k))
  }
}

private struct TopKKernel: ComparingKernel {
  let row: Int
  let k: Int

  func run<Element: Comparable & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Element.Type
  ) throws(ApusError) {
    let source = arguments.input(0, as: Element.self)
    let values = arguments.output(0, as: Element.self)
    let positions = arguments.output(1, as: Int32.self)
    for index in 0..<(source.count / row) {
      let elements = UnsafeBufferPointer(rebasing: source[index * row..<(index + 1) * row])
      let best = UnsafeMutableBufferPointer(rebasing: positions[index * k..<(index + 1) * k])
      select(elements, best)
      for rank in 0..<k { values[index * k + rank] = elements[Int(best[rank])] }
    }
  }

  /// Whether element `a` comes before element `b` in the result.
  @inline(__always)
  private func precedes<Element: Comparable>(
    _ elements: UnsafeBufferPointer<Element>, _ a: Int32, _ b: Int32
  ) -> Bool {
    let (x, y) = (elements[Int(a)], elements[Int(b)])
    return x > y || !(x < y) && a < b
  }

  /// Keeps the best positions seen so far in a heap whose root is the worst of them, then sorts them in place.
  private func select<Element: Comparable>(
    _ elements: UnsafeBufferPointer<Element>, _ best: UnsafeMutableBufferPointer<Int32>
  ) {
    for position in 0..<k { best[position] = Int32(truncatingIfNeeded: position) }
    for root in stride(from: k / 2 - 1, through: 0, by: -1) { sink(elements, best, root, k) }
    for position in k..<row {
      let candidate = Int32(truncatingIfNeeded: position)
      if precedes(elements, candidate, best[0]) {
        best[0] = candidate
        sink(elements, best, 0, k)
      }
    }
    for end in stride(from: k - 1, through: 1, by: -1) {
      best.swapAt(0, end)
      sink(elements, best, 0, end)
    }
  }

  /// Moves the position at `root` down until none below it is worse.
  private func sink<Element: Comparable>(
    _ elements: UnsafeBufferPointer<Element>, _ heap: UnsafeMutableBufferPointer<Int32>, _ root: Int,
    _ count: Int
  ) {
    var parent = root
    while 2 * parent + 1 < count {
      var child = 2 * parent + 1
      if child + 1 < count, precedes(elements, heap[child], heap[child + 1]) { child += 1 }
      guard precedes(elements, heap[parent], heap[child]) else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
