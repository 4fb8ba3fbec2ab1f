import TensorCore

/// The larger or the smaller of two elements, over tensors that broadcast.
///
/// Quantized operands are compared as stored: they are expected to share scale and zero point.
package struct Extremum: IntegerMath {
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

  package func body<Element: FixedWidthInteger & TensorElement>(
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
