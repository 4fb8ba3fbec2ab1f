import TensorCore

/// The quotient of two tensors that broadcast, rounded down; float32, int8, int16, int32 and int64.
///
/// Division by zero ends the run with an error, for floats too, as in TFLite.
package struct FloorDivide: IntegerMath {
  package var name: String { "floorDivide" }
  package var types: [DataType] { [.float32, .int8, .int16, .int32, .int64] }

  package init() {}

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return { (arguments: borrowing KernelArguments) throws(ApusError) in
      try requireNonZero(arguments.input(1, as: Float.self), zero: 0)
      arguments.broadcast(plan) {
        $0.combine { (a: Float, b: Float) -> Float in
          Float((Double(a) / Double(b)).rounded(.down))
        }
      }
    }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return { (arguments: borrowing KernelArguments) throws(ApusError) in
      try requireNonZero(arguments.input(1, as: Element.self), zero: 0)
      arguments.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Element in
          let quotient = a.dividedReportingOverflow(by: b).partialValue
          let remainder = a.remainderReportingOverflow(dividingBy: b).partialValue
          return remainder != 0 && (remainder < 0) != (b < 0) ? quotient &- 1 : quotient
        }
      }
    }
  }
}
