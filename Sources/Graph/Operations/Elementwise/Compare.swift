import Kernels
import TensorCore

/// Whether a relation holds between the elements of two tensors that broadcast; the result is of bool.
///
/// Quantized operands are brought to a common fixed-point scale first, as TFLite does; integers without a
/// scale are compared as they are.
package struct Compare: Operation {
  package enum Relation: String, Sendable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual
  }

  package let relation: Relation
  package var name: String { relation.rawValue }

  package init(_ relation: Relation) { self.relation = relation }

  private var types: [DataType] {
    let ordered: [DataType] = [.float32, .int32, .int64, .int8, .uint8, .int16]
    return relation == .equal || relation == .notEqual ? ordered + [.bool] : ordered
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let shape = try operands.binaryShape(types)
    let (first, second) = (try operands.input(0), try operands.input(1))
    if isQuantized(first, second) { _ = try ComparisonScaling(first, second) }
    let result = try operands.output(shape, of: .bool)
    return [TensorType(.bool, result.shape)]
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

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let scaling = isQuantized(first, second) ? try ComparisonScaling(first, second) : nil
    let body: Lowering.Body =
      switch first.dataType {
      case .float32: body(plan, Float.self)
      case .int32: body(plan, Int32.self)
      case .int64: body(plan, Int64.self)
      // A bool is stored as 0 or 1.
      case .bool: body(plan, UInt8.self)
      case .int8: quantizedBody(plan, scaling, Int8.self)
      case .uint8: quantizedBody(plan, scaling, UInt8.self)
      case .int16: quantizedBody(plan, scaling, Int16.self)
      default: throw .unsupportedType(first.dataType)
      }
    return Lowering("\(name) \(first.dataType.rawValue)", body: body)
  }

  private func body<Element: Comparable & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    switch relation {
    case .equal: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a == b } } }
    case .notEqual: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a != b } } }
    case .less: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a < b } } }
    case .lessEqual: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a <= b } } }
    case .greater: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a > b } } }
    case .greaterEqual: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a >= b } } }
    }
  }

  private func quantizedBody<Element: QuantizedElement>(
    _ plan: BroadcastPlan, _ scaling: ComparisonScaling?, _: Element.Type
  ) -> Lowering.Body {
    guard let scaling else { return body(plan, Element.self) }
    let relation = relation
    return {
      $0.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Bool in
          let (one, two) = scaling(Int32(a), Int32(b))
          return switch relation {
          case .equal: one == two
          case .notEqual: one != two
          case .less: one < two
          case .lessEqual: one <= two
          case .greater: one > two
          case .greaterEqual: one >= two
          }
        }
      }
    }
  }
}

/// What brings two quantized operands to a scale on which they compare.
private struct ComparisonScaling: Sendable {
  let firstOffset: Int32
  let secondOffset: Int32
  let first: FixedPointMultiplier
  let second: FixedPointMultiplier

  init(_ first: TensorType, _ second: TensorType) throws(ApusError) {
    let one = try first.uniformQuantization("input 0", symmetric16: false)
    let two = try second.uniformQuantization("input 1", symmetric16: false)
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    self.first = FixedPointMultiplier(Double(one.scale))
    self.second = FixedPointMultiplier(Double(two.scale))
  }

  @inline(__always)
  func callAsFunction(_ a: Int32, _ b: Int32) -> (Int32, Int32) {
    (first.apply((a &+ firstOffset) &<< 8), second.apply((b &+ secondOffset) &<< 8))
  }
}
