import TensorCore

/// The sums of the elements up to each one along the axis in operand 1; integers wrap.
package struct CumulativeSum: Operation {
  /// Whether a sum leaves out the element it stands at.
  package let exclusive: Bool
  /// Whether sums start from the end.
  package let reverse: Bool
  package var name: String { "cumulativeSum" }

  package init(exclusive: Bool = false, reverse: Bool = false) {
    self.exclusive = exclusive
    self.reverse = reverse
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0, "the values", of: [.float32, .int32, .int64]).shape
    _ = try shape.axis(operands.requireInteger(1, "the axis"))
    return [try operands.result(shape, like: 0)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let axis = try type.shape.axis(context.operands.requireInteger(1, "the axis"))
    let view = AxisView(type.shape, axis: axis)
    return switch type.dataType {
    case .float32: lowering(view, zero: Float(0)) { $0 + $1 }
    case .int32: lowering(view, zero: Int32(0)) { $0 &+ $1 }
    default: lowering(view, zero: Int64(0)) { $0 &+ $1 }
    }
  }

  private func lowering<Element: BitwiseCopyable & Sendable>(
    _ view: AxisView, zero: Element, _ add: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering {
    Lowering("cumulative sum") { [exclusive, reverse] arguments in
      let source = arguments.input(0, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      for outer in 0..<view.outer {
        for inner in 0..<view.inner {
          var sum = zero
          for step in 0..<view.extent {
            let position = reverse ? view.extent - 1 - step : step
            let index = (outer * view.extent + position) * view.inner + inner
            let next = add(sum, source[index])
            target[index] = exclusive ? sum : next
            sum = next
          }
        }
      }
    }
  }
}
