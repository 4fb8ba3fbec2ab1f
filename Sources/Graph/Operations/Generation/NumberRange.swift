import TensorCore

/// The numbers from operand 0 up (or down) to operand 1, not included, in steps of operand 2. Floats are
/// added up one by one in float32, as TFLite does.
package struct NumberRange: Operation {
  package var name: String { "range" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try operands.requireSameType(0...2)
    let type = try operands.input(0, "the start", of: [.float32, .int32, .int64])
    let count = type.dataType == .float32 ? try floatCount(operands) : try integerCount(operands)
    return [try operands.result(Shape([count]), like: 0).limited()]
  }

  private func integerCount(_ operands: Operands) throws(ApusError) -> Int {
    let start = try operands.requireInteger(0, "the start")
    let limit = try operands.requireInteger(1, "the limit")
    let step = try operands.requireInteger(2, "the step")
    guard step > 0 && start <= limit || step < 0 && start >= limit else {
      throw Self.error("\(start) to \(limit) in steps of \(step)")
    }
    let distance = UInt(bitPattern: step > 0 ? limit &- start : start &- limit)
    let (whole, rest) = distance.quotientAndRemainder(dividingBy: step.magnitude)
    return Int(clamping: whole) + (rest == 0 || whole >= UInt(Int.max) ? 0 : 1)
  }

  private func floatCount(_ operands: Operands) throws(ApusError) -> Int {
    let start = try float(operands, 0, "the start")
    let limit = try float(operands, 1, "the limit")
    let step = try float(operands, 2, "the step")
    let count = ((limit - start) / step).magnitude.rounded(.up)
    guard step > 0 && start <= limit || step < 0 && start >= limit, count <= Float(ResultLimit.byteCount)
    else {
      throw Self.error("\(start) to \(limit) in steps of \(step)")
    }
    return Int(count)
  }

  private func float(_ operands: Operands, _ index: Int, _ role: String) throws(ApusError) -> Float {
    let elements = try operands.requireConstant(index, role).elements(of: Float.self)
    guard elements.count == 1, let element = elements.first else {
      throw ApusError(.malformedModel, "\(role) has \(elements.count) elements", expected: "1")
    }
    return element
  }

  private static func error(_ range: String) -> ApusError {
    ApusError(.malformedModel, "a range from \(range)", expected: "steps towards the limit, not too many")
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0, 1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let operands = context.operands
    switch context.results[0].dataType {
    case .float32:
      return lowering(try float(operands, 0, "the start"), try float(operands, 2, "the step")) { $0 + $1 }
    case .int32:
      return lowering(
        Int32(truncatingIfNeeded: try operands.requireInteger(0, "the start")),
        Int32(truncatingIfNeeded: try operands.requireInteger(2, "the step"))
      ) { $0 &+ $1 }
    default:
      return lowering(
        Int64(try operands.requireInteger(0, "the start")), Int64(try operands.requireInteger(2, "the step"))
      ) { $0 &+ $1 }
    }
  }

  private func lowering<Element: BitwiseCopyable & Sendable>(
    _ start: Element, _ step: Element, _ add: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering {
    Lowering("range") { arguments in
      let target = arguments.output(0, as: Element.self)
      var value = start
      for index in 0..<target.count {
        target[index] = value
        value = add(value, step)
      }
    }
  }
}
