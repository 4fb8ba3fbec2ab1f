import TensorCore

/// The first of two integer tensors that broadcast, shifted to the right by the second; the sign is kept.
///
/// A negative shift counts as 0, one over the width as the width less 1.
package struct RightShift: Operation {
  package var name: String { "rightShift" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try bitwiseOutputTypes(operands)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let plan = try BroadcastPlan(type.shape, try context.operands.input(1).shape)
    let body: Lowering.Body =
      switch type.dataType {
      case .int8: body(plan, Int8.self)
      case .uint8: body(plan, UInt8.self)
      case .int16: body(plan, Int16.self)
      case .uint16: body(plan, UInt16.self)
      case .int32: body(plan, Int32.self)
      case .uint32: body(plan, UInt32.self)
      default: throw .unsupportedType(type.dataType)
      }
    return Lowering("\(name) \(type.dataType.rawValue)", body: body)
  }

  private func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let most = Element(Element.bitWidth - 1)
    return {
      $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a &>> min(most, max(0, b)) } }
    }
  }
}
