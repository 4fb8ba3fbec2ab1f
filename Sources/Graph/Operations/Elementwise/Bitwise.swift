import TensorCore

extension DataType {
  /// The types whose bits operations may take one by one.
  fileprivate static let bitwise: [DataType] = [.int8, .uint8, .int16, .uint16, .int32, .uint32]
}

/// The exclusive or of the bits of two integer tensors that broadcast.
package struct BitwiseXor: BinaryMath {
  package var name: String { "bitwiseXor" }
  package var types: [DataType] { DataType.bitwise }

  package init() {}

  package func integerBody(_ plan: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body {
    switch type {
    case .int8, .uint8: body(plan, UInt8.self)
    case .int16, .uint16: body(plan, UInt16.self)
    case .int32, .uint32: body(plan, UInt32.self)
    default: throw .unsupportedType(type)
    }
  }

  private func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in a ^ b } } }
  }
}

/// The first of two integer tensors that broadcast, shifted to the right by the second; the sign is kept.
///
/// A negative shift counts as 0, one over the width as the width less 1.
package struct RightShift: BinaryMath {
  package var name: String { "rightShift" }
  package var types: [DataType] { DataType.bitwise }

  package init() {}

  package func integerBody(_ plan: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body {
    switch type {
    case .int8: body(plan, Int8.self)
    case .uint8: body(plan, UInt8.self)
    case .int16: body(plan, Int16.self)
    case .uint16: body(plan, UInt16.self)
    case .int32: body(plan, Int32.self)
    case .uint32: body(plan, UInt32.self)
    default: throw .unsupportedType(type)
    }
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
