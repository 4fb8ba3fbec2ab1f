import TensorCore

/// A reduction of each window of operand 0, of any axes. Operand 1 is the number with which each begins, and which every
/// element has that is only thought.
///
/// The elements of a window are taken in the order of the axes, as TFLite's reference does it.
/// Source: StableHLO's `reduce_window`.
package struct ReduceWindow: Operation {
  package enum Kind: String, Sendable { case sum, product, min, max, any, all }

  package let kind: Kind
  /// One for each axis of the input.
  package let axes: [WindowAxis]
  package var name: String { "reduceWindow" }

  package init(_ kind: Kind, axes: [WindowAxis]) {
    self.kind = kind
    self.axes = axes
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let types: [DataType] =
      kind == .any || kind == .all ? [.bool] : [.float32, .int8, .uint8, .int16, .int32, .int64]
    let shape = try operands.input(0, of: types).shape
    try operands.requireSameType(0...1)
    guard try operands.input(1).shape.elementCount == 1, shape.rank > 0 else {
      throw ApusError(
        .malformedModel, "windows over \(shape) that begin with \(try operands.input(1).shape)",
        expected: "at least one axis, and one number")
    }
    guard axes.count == shape.rank else {
      throw ApusError(.malformedModel, "windows of \(axes.count) axes", expected: "\(shape.rank)")
    }
    var dimensions: [Int] = []
    for (axis, extent) in zip(axes, shape.dimensions) { dimensions.append(try axis.count(over: extent)) }
    return [try operands.result(Shape(dimensions), like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let plan = WindowPlan(axes: axes, input: type.shape, result: context.result.shape)
    return switch type.dataType {
    case .float32: lowering(plan, Float.self, sum: { $0 + $1 }, product: { $0 * $1 })
    case .int8: lowering(plan, Int8.self, sum: { $0 &+ $1 }, product: { $0 &* $1 })
    case .int16: lowering(plan, Int16.self, sum: { $0 &+ $1 }, product: { $0 &* $1 })
    case .int32: lowering(plan, Int32.self, sum: { $0 &+ $1 }, product: { $0 &* $1 })
    case .int64: lowering(plan, Int64.self, sum: { $0 &+ $1 }, product: { $0 &* $1 })
    default: lowering(plan, UInt8.self, sum: { $0 &+ $1 }, product: { $0 &* $1 })
    }
  }

  @inline(__always)
  private func lowering<Element: Comparable & ExpressibleByIntegerLiteral & BitwiseCopyable & Sendable>(
    _ plan: WindowPlan, _: Element.Type, sum: @escaping @Sendable (Element, Element) -> Element,
    product: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering {
    let name = "\(name) \(kind.rawValue)"
    switch kind {
    case .sum: return Lowering(name, body: plan.body(sum))
    case .product: return Lowering(name, body: plan.body(product))
    // As C++'s std::min and std::max treat what is no number.
    case .min: return Lowering(name, body: plan.body { (a: Element, b: Element) in b < a ? b : a })
    case .max: return Lowering(name, body: plan.body { (a: Element, b: Element) in a < b ? b : a })
    case .any: return Lowering(name, body: plan.body { (a: Element, b: Element) in a != 0 || b != 0 ? 1 : 0 })
    case .all: return Lowering(name, body: plan.body { (a: Element, b: Element) in a != 0 && b != 0 ? 1 : 0 })
    }
  }
}
