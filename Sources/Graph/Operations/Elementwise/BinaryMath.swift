import Kernels
import TensorCore

/// An operation on each pair of elements of two tensors that broadcast.
///
/// One that conforms says which elements it takes and what it makes of two of them; types and shapes are checked, and
/// elements paired, here.
package protocol BinaryMath: Operation {
  /// What is done to stored numbers of quantized operands.
  associatedtype Quantized: QuantizedBinaryMath = Never

  /// The element types that the operands may have, both the same.
  var types: [DataType] { get }
  /// The element type of the result; nil when it is the operands'.
  var resultType: DataType? { get }
  /// A clamp of the result.
  var activation: Activation { get }

  /// The arithmetic of quantized operands; nil when elements of this type are plain numbers.
  func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> Quantized?
  func floatBody(_ plan: BroadcastPlan) throws(ApusError) -> Lowering.Body
  /// The body for plain integers of one of ``types``; a bool is an UInt8 of 0 or 1.
  func integerBody(_ plan: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body
}

extension BinaryMath {
  package var resultType: DataType? { nil }
  package var activation: Activation { .none }

  package func quantized(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> Quantized? { nil }

  package func floatBody(_ plan: BroadcastPlan) throws(ApusError) -> Lowering.Body {
    throw .unsupportedType(.float32)
  }

  package func integerBody(_: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body {
    throw .unsupportedType(type)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try activation.requireClamp()
    try operands.requireCount(2...2)
    let first = try operands.input(0, of: types)
    try operands.requireSameType(0...1)
    let second = try operands.input(1)
    let shape = try first.shape.broadcast(with: second.shape)
    let result = try operands.result(shape, of: resultType, orLike: 0)
    _ = try quantized(first, second, result)
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try pairwise(context)
  }

  /// The lowering that pairs elements, bytes by a vector kernel where there is one.
  func pairwise(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let type = first.dataType
    let body: Lowering.Body
    if let quantized = try quantized(first, second, context.result) {
      if type.byteCount == 1,
        let pairs = try quantized.vectorized(
          isSigned: type == .int8, findsQuickest: true, kernels: context.kernels)
      {
        return bytePairs(pairs, plan, type)
      }
      body =
        switch type {
        case .int8: quantized.body(plan, Int8.self)
        case .uint8: quantized.body(plan, UInt8.self)
        default: quantized.body(plan, Int16.self)
        }
    } else {
      body = type == .float32 ? try floatBody(plan) : try integerBody(plan, type)
    }
    return Lowering("\(name) \(type.rawValue)", body: body)
  }
}

/// A ``BinaryMath`` that does the same to integers of every width.
package protocol IntegerMath: BinaryMath {
  func body<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body
}

extension IntegerMath {
  package func integerBody(_ plan: BroadcastPlan, _ type: DataType) throws(ApusError) -> Lowering.Body {
    switch type {
    case .int8: body(plan, Int8.self)
    case .uint8, .bool: body(plan, UInt8.self)
    case .int16: body(plan, Int16.self)
    case .uint16: body(plan, UInt16.self)
    case .int32: body(plan, Int32.self)
    case .uint32: body(plan, UInt32.self)
    case .int64: body(plan, Int64.self)
    default: throw .unsupportedType(type)
    }
  }
}

/// What a ``BinaryMath`` does to the stored numbers of quantized operands.
package protocol QuantizedBinaryMath: Sendable {
  func body<Element: QuantizedElement>(_ plan: BroadcastPlan, _: Element.Type) -> Lowering.Body
  /// The same of 8-bit numbers as a vector kernel; nil where none does it.
  /// - Parameter findsQuickest: whether the quickest way is looked for, which pays for more than some thousand numbers.
  func vectorized(isSigned: Bool, findsQuickest: Bool, kernels: KernelSet) throws(ApusError) -> (
    any QuantizedPairs
  )?
}

extension QuantizedBinaryMath {
  package func vectorized(
    isSigned: Bool, findsQuickest: Bool, kernels: KernelSet
  ) throws(ApusError) -> (any QuantizedPairs)? { nil }
}

/// For operations that have no arithmetic for quantized operands.
extension Never: QuantizedBinaryMath {
  package func body<Element: QuantizedElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body { switch self {} }
}

/// The arithmetic of stored numbers whose result lies within the type of the operands.
package protocol StoredBinaryMath: QuantizedBinaryMath {
  /// The stored result of two stored operands.
  func callAsFunction(_ a: Int32, _ b: Int32) -> Int32
}

extension StoredBinaryMath {
  package func body<Element: QuantizedElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    return {
      $0.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Element in
          Element(truncatingIfNeeded: self(Int32(a), Int32(b)))
        }
      }
    }
  }
}
