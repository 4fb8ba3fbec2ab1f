import TensorCore

/// The product of two tensors that broadcast, with a fused activation.
///
/// float32, int32, uint32 and int64 (which wrap), and quantized int8, uint8 and int16. Source of the integer
/// rule: TFLite's reference `Mul`.
package struct Multiply: Operation {
  package let activation: FusedActivation
  package var name: String { "multiply" }

  package init(activation: FusedActivation = .none) { self.activation = activation }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try activation.requireClamp()
    let shape = try operands.binaryShape([.float32, .int32, .uint32, .int64, .int16, .int8, .uint8])
    let (first, second) = (try operands.input(0), try operands.input(1))
    let result = try operands.output(shape, of: first.dataType)
    if isQuantized(first) { _ = try QuantizedProduct(first, second, result, activation) }
    return [result]
  }

  private func isQuantized(_ type: TensorType) -> Bool {
    type.dataType == .int16 ? type.quantization != nil : type.dataType.quantizedRange != nil
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let kernel = "\(name) \(first.dataType.rawValue)"
    if isQuantized(first) {
      let product = try QuantizedProduct(first, second, context.result, activation)
      let body: Lowering.Body =
        switch first.dataType {
        case .int8: product.body(plan, Int8.self)
        case .uint8: product.body(plan, UInt8.self)
        default: product.body(plan, Int16.self)
        }
      return Lowering(kernel, body: body)
    }
    switch first.dataType {
    case .float32:
      let clamp = FloatClamp(activation)
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in clamp(a * b) } }
      }
    case .int16: return Lowering(kernel, body: integerBody(plan, Int16.self))
    case .int32: return Lowering(kernel, body: integerBody(plan, Int32.self))
    case .uint32: return Lowering(kernel, body: integerBody(plan, UInt32.self))
    case .int64: return Lowering(kernel, body: integerBody(plan, Int64.self))
    default: throw .unsupportedType(first.dataType)
    }
  }

  private func integerBody<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let clamp = IntegerClamp<Element>(activation)
    return { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Element in clamp(a &* b) } } }
  }
}
