import TensorCore

/// The sum of one or more tensors of one shape, from the first to the last; float32, int32 and int64
/// (which wrap).
package struct AddN: Operation {
  package var name: String { "addN" }
  package var resultMeaning: ResultMeaning { .sum(.none) }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...Int(Int16.max))
    let first = try operands.input(0, of: [.float32, .int32, .int64])
    for index in 1..<operands.count {
      let type = try operands.input(index)
      guard type.dataType == first.dataType, type.shape == first.shape else {
        throw ApusError(.malformedModel, "input \(index) is \(type)", expected: "\(first), as input 0")
      }
    }
    return [try operands.result(first.shape, like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let count = context.operands.count
    let type = try context.operands.input(0).dataType
    switch type {
    case .float32: return Lowering("addN float32") { $0.addAll(count) { (a: Float, b: Float) in a + b } }
    case .int32: return Lowering("addN int32") { $0.addAll(count) { (a: Int32, b: Int32) in a &+ b } }
    case .int64: return Lowering("addN int64") { $0.addAll(count) { (a: Int64, b: Int64) in a &+ b } }
    default: throw .unsupportedType(type)
    }
  }
}

extension KernelArguments {
  /// The result is the sum of operands `0..<count`.
  @inline(__always)
  fileprivate func addAll<Element: TensorElement>(_ count: Int, _ add: (Element, Element) -> Element) {
    let result = output(0, as: Element.self)
    let first = input(0, as: Element.self)
    for index in 0..<result.count { result[index] = first[index] }
    for operand in 1..<max(count, 1) {
      let term = input(operand, as: Element.self)
      for index in 0..<result.count { result[index] = add(result[index], term[index]) }
    }
  }
}
