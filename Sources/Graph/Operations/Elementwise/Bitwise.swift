import TensorCore

extension DataType {
  /// The types whose bits operations may take one by one.
  fileprivate static let bitwise: [DataType] = [.int8, .uint8, .int16, .uint16, .int32, .uint32]
}

/// The exclusive or of the bits of two integer tensors that broadcast.
package struct BitwiseXor: IntegerMath {
  package var name: String { "bitwiseXor" }
  package var types: [DataType] { DataType.bitwise }

  package init() {}

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a ^ b } } }
  }
}

/// The first of two integer tensors that broadcast, shifted to the right by the second; the sign is kept.
///
/// A negative shift counts as 0, one over the width as the width less 1.
package struct RightShift: IntegerMath {
  package var name: String { "rightShift" }
  package var types: [DataType] { DataType.bitwise }

  package init() {}

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let most = Element(Element.bitWidth - 1)
    return {
      $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a &>> min(most, max(0, b)) } }
    }
  }
}
