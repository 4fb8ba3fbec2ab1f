import TensorCore

/// The larger or the smaller of two elements, over tensors that broadcast.
///
/// Quantized operands are compared as stored: they are expected to share scale and zero point.
package struct Extremum: BinaryMath {
  package enum Kind: String, Sendable { case maximum, minimum }

  package let kind: Kind
  package var name: String { kind.rawValue }
  package var resultMeaning: ResultMeaning { .chosenNumbers }
  package var types: [DataType] { [.float32, .int8, .uint8, .int16, .int32, .int64] }

  package init(_ kind: Kind) { self.kind = kind }

  /// When an operand is NaN the second one counts, as in TFLite.
  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    switch kind {
    case .maximum: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in a > b ? a : b } } }
    case .minimum: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in a < b ? a : b } } }
    }
  }

  package func integerBody(_ plan: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body {
    switch type {
    case .int8: body(plan, Int8.self)
    case .uint8: body(plan, UInt8.self)
    case .int16: body(plan, Int16.self)
    case .int32: body(plan, Int32.self)
    case .int64: body(plan, Int64.self)
    default: throw .unsupportedType(type)
    }
  }

  private func body<Element: FixedWidthInteger & TensorElement>(
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
