import CLibrary
import TensorCore

/// What is left of the first of two tensors that broadcast after division by the second, with the sign of
/// the second; float32, int8, int16, int32 and int64.
///
/// An integer divisor of zero ends the run with an error.
package struct FloorModulo: IntegerMath {
  package var name: String { "floorModulo" }
  package var types: [DataType] { [.float32, .int8, .int16, .int32, .int64] }

  package init() {}

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return {
      $0.broadcast(plan) {
        $0.combine { (a: Float, b: Float) -> Float in
          let remainder = CLibrary.fmodf(a, b)
          return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
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
          let remainder = a.remainderReportingOverflow(dividingBy: b).partialValue
          return remainder != 0 && (remainder < 0) != (b < 0) ? remainder &+ b : remainder
        }
      }
    }
  }
}
