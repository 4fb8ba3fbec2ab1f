import TensorCore

/// The quotient of two tensors that broadcast, rounded down; float32, int8, int16, int32 and int64.
///
/// Division by zero ends the run with an error, for floats too, as in TFLite.
package struct FloorDivide: Operation {
  package var name: String { "floorDivide" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let shape = try operands.binaryShape([.float32, .int8, .int16, .int32, .int64])
    return [try operands.output(shape, of: try operands.input(0).dataType)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let body: Lowering.Body =
      switch first.dataType {
      case .float32: floatBody(plan)
      case .int8: body(plan, Int8.self)
      case .int16: body(plan, Int16.self)
      case .int32: body(plan, Int32.self)
      case .int64: body(plan, Int64.self)
      default: throw .unsupportedType(first.dataType)
      }
    return Lowering("\(name) \(first.dataType.rawValue)", body: body)
  }

  private func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return { (arguments: borrowing KernelArguments) throws(ApusError) in
      try requireNonZero(arguments.input(1, as: Float.self), zero: 0)
      arguments.broadcast(plan) {
        $0.combine { (a: Float, b: Float) -> Float in
          Float((Double(a) / Double(b)).rounded(.down))
        }
      }
    }
  }

  private func body<Element: FixedWidthInteger & TensorElement>(
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
