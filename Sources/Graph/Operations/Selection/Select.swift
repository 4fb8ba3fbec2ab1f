import TensorCore

/// Elements of operand 1 where operand 0 is true, of operand 2 where it is false.
///
/// When it broadcasts, all three are broadcast against each other. When it does not, operands 1 and 2 have
/// one shape, and operand 0 has that shape too, or is a scalar, or a vector that chooses whole slices along
/// the first axis. Elements are copied as they are stored, whatever their quantization.
package struct Select: Operation {
  package let broadcasts: Bool
  package var name: String { "select" }

  package init(broadcasts: Bool) { self.broadcasts = broadcasts }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try operands.requireSameType(1...2)
    let condition = try operands.input(0, "the condition", of: [.bool]).shape
    let first = try operands.input(1).shape
    let second = try operands.input(2).shape
    if broadcasts {
      return [try operands.result(condition.broadcast(with: first).broadcast(with: second), like: 1)]
    }
    let isRow = condition.rank == 1 && condition.dimensions.first == first.dimensions.first
    guard first == second, condition == first || condition.rank == 0 || isRow else {
      throw ApusError(
        .malformedModel, "a condition of shape \(condition) for shapes \(first) and \(second)",
        expected: "the same shape for all three")
    }
    return [try operands.result(first, like: 1)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0].shape
    let condition = try context.operands.input(0).shape
    let strides: [Int]
    if !broadcasts, condition.rank == 1, result.rank > 1 {
      strides = [1] + [Int](repeating: 0, count: result.rank - 1)
    } else {
      strides = condition.broadcastStrides(to: result)
    }
    let first = try context.operands.input(1)
    return Lowering(
      "select", moving: first.dataType,
      SelectKernel(
        result, condition: strides, first: first.shape.broadcastStrides(to: result),
        second: try context.operands.input(2).shape.broadcastStrides(to: result)))
  }
}

private struct SelectKernel: WordKernel {
  private struct Axis {
    var extent: Int
    var condition: Int
    var first: Int
    var second: Int
    var target: Int

    /// Whether this axis and one inside it can be walked as one.
    func continues(_ inner: Axis) -> Bool {
      condition == inner.condition * inner.extent && first == inner.first * inner.extent
        && second == inner.second * inner.extent
    }
  }

  private var axes: [Axis] = []

  init(_ result: Shape, condition: [Int], first: [Int], second: [Int]) {
    for axis in result.dimensions.indices where result[axis] != 1 {
      var next = Axis(
        extent: result[axis], condition: condition[axis], first: first[axis], second: second[axis],
        target: result.strides[axis])
      if let last = axes.last, last.continues(next) {
        next.extent *= last.extent
        axes.removeLast()
      }
      axes.append(next)
    }
    if axes.isEmpty { axes = [Axis(extent: 1, condition: 0, first: 0, second: 0, target: 1)] }
  }

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    guard let condition = arguments.input(0, as: UInt8.self).baseAddress,
      let first = arguments.input(1, as: Word.self).baseAddress,
      let second = arguments.input(2, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    select(0, condition, first, second, target)
  }

  private func select<Word: BitwiseCopyable>(
    _ level: Int, _ condition: UnsafePointer<UInt8>, _ first: UnsafePointer<Word>,
    _ second: UnsafePointer<Word>,
    _ target: UnsafeMutablePointer<Word>
  ) {
    let axis = axes[level]
    if level + 1 == axes.count {
      for index in 0..<axis.extent {
        target[index] =
          condition[index * axis.condition] != 0 ? first[index * axis.first] : second[index * axis.second]
      }
    } else {
      for index in 0..<axis.extent {
        select(
          level + 1, condition + index * axis.condition, first + index * axis.first,
          second + index * axis.second, target + index * axis.target)
      }
    }
  }
}
