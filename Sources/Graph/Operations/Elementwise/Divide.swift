import TensorCore

/// The quotient of two tensors that broadcast, with a fused activation.
///
/// float32, int32 and int64 (rounded towards zero; the least integer divided by −1 stays itself), and
/// quantized int8, uint8 and int16. An integer divided by zero ends the run with an error. Source of the
/// integer rule: TFLite's reference `Div`.
package struct Divide: Operation {
  package let activation: FusedActivation
  package var name: String { "divide" }

  package init(activation: FusedActivation = .none) { self.activation = activation }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try activation.requireClamp()
    let shape = try operands.binaryShape([.float32, .int32, .int64, .int8, .uint8, .int16])
    let (first, second) = (try operands.input(0), try operands.input(1))
    let result = try operands.output(shape, of: first.dataType)
    if first.dataType.quantizedRange != nil {
      _ = try QuantizedQuotient(first, second, result, activation)
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let kernel = "\(name) \(first.dataType.rawValue)"
    switch first.dataType {
    case .float32:
      let clamp = FloatClamp(activation)
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a / b) } }
      }
    case .int32: return Lowering(kernel, body: integerBody(plan, Int32.self))
    case .int64: return Lowering(kernel, body: integerBody(plan, Int64.self))
    default:
      let quotient = try QuantizedQuotient(first, second, context.result, activation)
      switch first.dataType {
      case .int8: return Lowering(kernel, body: quotient.body(plan, Int8.self))
      case .uint8: return Lowering(kernel, body: quotient.body(plan, UInt8.self))
      default: return Lowering(kernel, body: quotient.body(plan, Int16.self))
      }
    }
  }

  private func integerBody<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let clamp = IntegerClamp<Element>(activation)
    return { (arguments: borrowing KernelArguments) throws(ApusError) in
      try requireNonZero(arguments.input(1, as: Element.self), zero: 0)
      arguments.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Element in
          clamp(a.dividedReportingOverflow(by: b).partialValue)
        }
      }
    }
  }
}

/// Refuses divisors of which one is `zero`.
func requireNonZero<Element: TensorElement>(
  _ divisors: UnsafeBufferPointer<Element>, zero: Element
) throws(ApusError) {
  for index in 0..<divisors.count where divisors[index] == zero {
    throw ApusError(
      .argument, "division by zero at element \(index) of input 1", expected: "divisors other than zero")
  }
}
