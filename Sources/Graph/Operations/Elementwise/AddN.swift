import TensorCore

/// The sum of one or more tensors of one shape, from the first to the last; float32, int32 and int64
/// (which wrap).
package struct AddN: Operation {
  package var name: String { "addN" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...Int(Int16.max))
    try operands.requireType(0, [.float32, .int32, .int64])
    let first = try operands.input(0)
    for index in 1..<operands.count {
      let type = try operands.input(index)
      guard type.dataType == first.dataType, type.shape == first.shape else {
        throw ApusError(.malformedModel, "input \(index) is \(type)", expected: "\(first), as input 0")
      }
    }
    return [try operands.output(first.shape, of: first.dataType)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let count = context.operands.count
    let type = try context.operands.input(0).dataType
    switch type {
    case .float32: return Lowering("addN float32", body: body(count) { (a: Float, b: Float) in a + b })
    case .int32: return Lowering("addN int32", body: body(count) { (a: Int32, b: Int32) in a &+ b })
    case .int64: return Lowering("addN int64", body: body(count) { (a: Int64, b: Int64) in a &+ b })
    default: throw .unsupportedType(type)
    }
  }

  @inline(__always)
  private func body<Element: TensorElement>(
    _ count: Int, _ add: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering.Body {
    return { arguments in
      arguments.map { (value: Element) -> Element in value }
      let result = arguments.output(0, as: Element.self)
      for operand in 1..<count {
        let term = arguments.input(operand, as: Element.self)
        for index in 0..<result.count { result[index] = add(result[index], term[index]) }
      }
    }
  }
}
