import TensorCore

/// The larger or the smaller of two elements, over tensors that broadcast.
///
/// Quantized operands are compared as stored: they are expected to share scale and zero point.
package struct Extremum: Operation {
  package enum Kind: String, Sendable { case maximum, minimum }

  package let kind: Kind
  package var name: String { kind.rawValue }

  package init(_ kind: Kind) { self.kind = kind }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let shape = try operands.binaryShape([.float32, .int8, .uint8, .int16, .int32, .int64])
    return [try operands.output(shape, of: try operands.input(0).dataType)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let body: Lowering.Body =
      switch first.dataType {
      case .float32: body(plan, Float.self)
      case .int8: body(plan, Int8.self)
      case .uint8: body(plan, UInt8.self)
      case .int16: body(plan, Int16.self)
      case .int32: body(plan, Int32.self)
      case .int64: body(plan, Int64.self)
      default: throw .unsupportedType(first.dataType)
      }
    return Lowering("\(name) \(first.dataType.rawValue)", body: body)
  }

  /// When an operand is NaN the second one counts, as in TFLite.
  private func body<Element: Comparable & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    switch kind {
    case .maximum:
      { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a > b ? a : b } } }
    case .minimum:
      { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a < b ? a : b } } }
    }
  }
}
