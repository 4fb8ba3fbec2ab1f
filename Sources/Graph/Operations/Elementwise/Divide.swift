import TensorCore

/// The quotient of two tensors that broadcast, with a fused activation.
///
/// float32, int32 and int64 (rounded towards zero; the least integer divided by −1 stays itself), and
/// quantized int8, uint8 and int16. An integer divided by zero ends the run with an error. Source of the
/// integer rule: TFLite's reference `Div`.
package struct Divide: IntegerMath {
  package let activation: Activation
  package var name: String { "divide" }
  package var resultMeaning: ResultMeaning { .quotient(activation) }
  package var types: [DataType] { [.float32, .int32, .int64, .int8, .uint8, .int16] }

  package init(activation: Activation = .none) { self.activation = activation }

  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> QuantizedQuotient? {
    guard first.dataType.quantizedRange != nil else { return nil }
    return try QuantizedQuotient(first, second, result, activation)
  }

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    let clamp = FloatClamp(activation)
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a / b) } } }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
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
