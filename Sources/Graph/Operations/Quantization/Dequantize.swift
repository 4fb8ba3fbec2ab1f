import TensorCore

/// The real numbers that stored ones stand for, as float32.
///
/// From int8, uint8 and int16, per tensor or per channel, int32 per tensor, and from float16.
package struct Dequantize: Operation {
  package var name: String { "dequantize" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: [.int8, .uint8, .int16, .int32, .float16])
    if input.dataType != .float16 {
      guard let quantization = input.quantization else {
        throw ApusError(.malformedModel, "an input of \(input.dataType.rawValue) without scale")
      }
      if quantization.isPerChannel { _ = try ChannelLayout(quantization, input.shape) }
    }
    let result = try operands.result(input.shape, of: .float32)
    return [TensorType(.float32, result.shape)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    switch input.dataType {
    case .int8: return Lowering(kernel, body: try body(input, Int8.self))
    case .uint8: return Lowering(kernel, body: try body(input, UInt8.self))
    case .int16: return Lowering(kernel, body: try body(input, Int16.self))
    case .int32: return Lowering(kernel, body: try body(input, Int32.self))
    default:
      let widen = context.kernels.float.widenFloat16
      return VectorMap.lowering(kernel, operandBytes: 2, context.kernels) { widen($0, $1, $2) }
    }
  }

  private func body<Element: FixedWidthInteger & TensorElement>(
    _ input: TensorType, _: Element.Type
  ) throws(ApusError) -> Lowering.Body {
    guard let quantization = input.quantization else { throw .unsupportedType(input.dataType) }
    guard quantization.isPerChannel else {
      let (scale, zeroPoint) = (quantization.scale, quantization.zeroPoint)
      return { $0.map { $0.apply { (x: Element) -> Float in real(x, scale, zeroPoint) } } }
    }
    let layout = try ChannelLayout(quantization, input.shape)
    return { arguments in
      let source = arguments.input(0, as: Element.self)
      let target = arguments.output(0, as: Float.self)
      for run in 0..<(target.count / max(layout.inner, 1)) {
        let channel = layout.channel(ofRun: run)
        let (scale, zeroPoint) = (quantization.scales[channel], quantization.zeroPoints[channel])
        for index in run * layout.inner..<(run + 1) * layout.inner {
          target[index] = real(source[index], scale, zeroPoint)
        }
      }
    }
  }
}

@inline(__always)
private func real<Element: FixedWidthInteger>(_ x: Element, _ scale: Float, _ zeroPoint: Int32) -> Float {
  scale * Float(Int32(truncatingIfNeeded: x) &- zeroPoint)
}
