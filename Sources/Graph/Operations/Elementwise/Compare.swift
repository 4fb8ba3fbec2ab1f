import Kernels
import TensorCore

/// Whether a relation holds between the elements of two tensors that broadcast; the result is of bool.
///
/// Quantized operands are brought to a common fixed-point scale first, as TFLite does; integers without a
/// scale are compared as they are.
package struct Compare: IntegerMath {
  package enum Relation: String, Sendable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual
  }

  package let relation: Relation
  package var name: String { relation.rawValue }

  package init(_ relation: Relation) { self.relation = relation }

  package var resultType: DataType? { .bool }
  package var types: [DataType] {
    let ordered: [DataType] = [.float32, .int32, .int64, .int8, .uint8, .int16]
    return relation == .equal || relation == .notEqual ? ordered + [.bool] : ordered
  }

  private func isQuantized(_ first: TensorType, _ second: TensorType) -> Bool {
    guard first.quantization != nil || second.quantization != nil else { return false }
    switch first.dataType {
    case .int8, .uint8: return true
    // TFLite orders int16 by the stored numbers.
    case .int16: return relation == .equal || relation == .notEqual
    default: return false
    }
  }

  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> QuantizedComparison? {
    isQuantized(first, second) ? try QuantizedComparison(relation, first, second) : nil
  }

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    switch relation {
    case .equal: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a == b } } }
    case .notEqual: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a != b } } }
    case .less: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a < b } } }
    case .lessEqual: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a <= b } } }
    case .greater: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a > b } } }
    case .greaterEqual: { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Bool in a >= b } } }
    }
  }

  package func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let isDenied = relation == .notEqual || relation == .lessEqual || relation == .greaterEqual
    return switch relation {
    case .equal, .notEqual:
      { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in (a == b) != isDenied } } }
    case .less, .greaterEqual:
      { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in (a < b) != isDenied } } }
    case .greater, .lessEqual:
      { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in (a > b) != isDenied } } }
    }
  }
}

/// What brings two quantized operands to a scale on which they compare.
package struct QuantizedComparison: QuantizedBinaryMath {
  let relation: Compare.Relation
  let firstOffset: Int32
  let secondOffset: Int32
  let first: FixedPointMultiplier
  let second: FixedPointMultiplier

  init(_ relation: Compare.Relation, _ first: TensorType, _ second: TensorType) throws(ApusError) {
    self.relation = relation
    let one = try first.uniformQuantization("input 0", symmetric16: false)
    let two = try second.uniformQuantization("input 1", symmetric16: false)
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    self.first = FixedPointMultiplier(Double(one.scale))
    self.second = FixedPointMultiplier(Double(two.scale))
  }

  @inline(__always)
  private func holds(_ a: Int32, _ b: Int32) -> Bool {
    let one = first.apply((a &+ firstOffset) &<< 8)
    let two = second.apply((b &+ secondOffset) &<< 8)
    return switch relation {
    case .equal: one == two
    case .notEqual: one != two
    case .less: one < two
    case .lessEqual: one <= two
    case .greater: one > two
    case .greaterEqual: one >= two
    }
  }

  package func body<Element: QuantizedElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return {
      $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in holds(Int32(a), Int32(b)) } }
    }
  }
}
