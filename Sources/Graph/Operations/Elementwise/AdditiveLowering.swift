import Kernels
import TensorCore

/// What ``Add`` and ``Subtract`` have in common.
struct AdditiveLowering {
  let activation: FusedActivation
  let potScaleInt16: Bool
  let subtracts: Bool

  static let types: [DataType] = [.float32, .int32, .int64, .int16, .int8, .uint8]

  func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try activation.requireClamp()
    let shape = try operands.binaryShape(Self.types)
    let (first, second) = (try operands.input(0), try operands.input(1))
    let result = try operands.output(shape, of: first.dataType)
    if try isQuantized(first), try powerOfTwo(first, second, result) == nil {
      _ = try QuantizedAddParameters(first, second, result, activation, subtracts: subtracts)
    }
    return [result]
  }

  /// int16 without a scale is a plain integer.
  private func isQuantized(_ type: TensorType) throws(ApusError) -> Bool {
    switch type.dataType {
    case .int8, .uint8: true
    case .int16: type.quantization != nil
    default: false
    }
  }

  private func powerOfTwo(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws(ApusError) -> PowerOfTwoAddition? {
    guard potScaleInt16, result.dataType == .int16 else { return nil }
    return try PowerOfTwoAddition(first, second, result, activation, subtracts: subtracts)
  }

  func lower(_ context: LoweringContext, name: String) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let result = context.result
    let plan = try BroadcastPlan(first.shape, second.shape)
    if try isQuantized(first) {
      if let addition = try powerOfTwo(first, second, result) {
        return Lowering("\(name) int16 power of two") {
          $0.broadcast(plan) { $0.combine { addition($0, $1) } }
        }
      }
      let parameters = try QuantizedAddParameters(first, second, result, activation, subtracts: subtracts)
      if !subtracts, first.shape == second.shape, result.dataType.byteCount == 1 {
        return try vectorLowering(parameters, result, context.kernels)
      }
      let body: Lowering.Body =
        switch result.dataType {
        case .int8: quantizedAddBody(parameters, plan, Int8.self)
        case .uint8: quantizedAddBody(parameters, plan, UInt8.self)
        default: quantizedAddBody(parameters, plan, Int16.self)
        }
      return Lowering("\(name) \(result.dataType.rawValue)", body: body)
    }
    switch result.dataType {
    case .float32: return Lowering("\(name) float32", body: floatBody(plan))
    case .int16: return Lowering("\(name) int16", body: integerBody(plan, Int16.self))
    case .int32: return Lowering("\(name) int32", body: integerBody(plan, Int32.self))
    case .int64: return Lowering("\(name) int64", body: integerBody(plan, Int64.self))
    default: throw .unsupportedType(result.dataType)
    }
  }

  /// Two 8-bit tensors of one shape, element by element.
  private func vectorLowering(
    _ parameters: QuantizedAddParameters, _ result: TensorType, _ kernels: KernelSet
  ) throws(ApusError) -> Lowering {
    let addition = try parameters.vectorized(isSigned: result.dataType == .int8, kernels: kernels)
    let count = result.shape.elementCount
    return Lowering("add \(result.dataType.rawValue) vectors") { arguments in
      guard let a = arguments.inputAddress(0), let b = arguments.inputAddress(1) else { return }
      let c = arguments.outputAddress(0)
      // About 4 µs of work on one core.
      arguments.parallel(count, grain: 20_000) { range in
        addition.run(
          a + range.lowerBound, b + range.lowerBound, into: c + range.lowerBound, count: range.count)
      }
    }
  }

  private func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    let clamp = FloatClamp(activation)
    if subtracts {
      return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a - b) } } }
    }
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a + b) } } }
  }

  private func integerBody<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let clamp = IntegerClamp<Element>(activation)
    if subtracts {
      return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &- b) } } }
    }
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &+ b) } } }
  }
}
