import TensorCore

/// The shape that two shapes, given as vectors of integers, broadcast to.
package struct BroadcastArguments: Operation {
  package var name: String { "broadcastArguments" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    try operands.requireSameType(0...1)
    let first = try operands.input(0, "the first shape", of: [.int32, .int64], rank: 1).shape
    let second = try operands.input(1, "the second shape", rank: 1).shape
    return [try operands.result(.vector(max(first.elementCount, second.elementCount)), like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    context.results[0].dataType == .int64 ? lowering(Int64.self) : lowering(Int32.self)
  }

  private func lowering<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(_: Element.Type) -> Lowering
  {
    Lowering("broadcast arguments") { arguments throws(ApusError) in
      let a = arguments.input(0, as: Element.self)
      let b = arguments.input(1, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      for axis in 0..<target.count {
        let left = axis - (target.count - a.count) >= 0 ? a[axis - (target.count - a.count)] : 1
        let right = axis - (target.count - b.count) >= 0 ? b[axis - (target.count - b.count)] : 1
        guard left == right || left == 1 || right == 1 else {
          throw ApusError(.argument, "dimensions \(left) and \(right) do not broadcast")
        }
        target[axis] = left == 1 ? right : left
      }
    }
  }
}
