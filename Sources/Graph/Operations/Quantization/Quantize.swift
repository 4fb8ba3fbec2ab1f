import Kernels
import TensorCore

/// Numbers brought to the scale and zero point that the result declares.
///
/// From float32 to int8, uint8 or int16, per tensor or per channel: divided by the scale and rounded to
/// nearest, halves away from zero. From int8, uint8, int16 or int32 to another scale or type: by a
/// fixed-point multiplier. Source: TFLite's reference `AffineQuantize` and `Requantize`.
///
/// From float32 to bytes of one scale halves may go to the even neighbour instead, as ONNX's QuantizeLinear says.
package struct Quantize: Operation {
  package let roundsToEven: Bool
  package var name: String { "quantize" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init(roundsToEven: Bool = false) { self.roundsToEven = roundsToEven }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: [.float32, .int8, .uint8, .int16, .int32])
    guard let declared = operands.declared.first, let range = declared.dataType.quantizedRange else {
      throw ApusError(
        .unsupportedModel, "a result of \(operands.declared.first?.dataType.rawValue ?? "no declared type")",
        expected: "int8, uint8 or int16")
    }
    let result = TensorType(declared.dataType, input.shape, quantization: declared.quantization)
    guard let quantization = result.quantization else {
      throw ApusError(.malformedModel, "a \(result.dataType.rawValue) result without scale and zero point")
    }
    if let bad = quantization.zeroPoints.first(where: { !range.contains($0) }) {
      throw ApusError(
        .malformedModel, "zero point \(bad) of a result of \(result.dataType.rawValue)",
        expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    guard
      !roundsToEven
        || input.dataType == .float32 && result.dataType.byteCount == 1 && !quantization.isPerChannel
    else {
      throw ApusError(
        .unsupportedModel, "halves to even from \(input) to \(result)", expected: "bytes of one scale")
    }
    if input.dataType == .float32 {
      if quantization.isPerChannel { _ = try ChannelLayout(quantization, result.shape) }
    } else {
      _ = try Requantization(input, result)
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let result = context.result
    if input.dataType.byteCount == 1 {
      let requantization = try Requantization(input, result)
      if result.dataType.byteCount == 1 {
        let table = ByteTable(input.dataType, result: result.dataType, requantization.stored)
        return Lowering(
          "\(name) \(input.dataType.rawValue) \(result.dataType.rawValue) table",
          body: table.fastestBody(context.kernels))
      }
    }
    if input.dataType == .float32, result.dataType.byteCount == 1, let quantization = result.quantization,
      !quantization.isPerChannel
    {
      let integer = context.kernels.integer
      let quantize = roundsToEven ? integer.quantizeEven : integer.quantize
      let (scale, zeroPoint) = (quantization.scale, quantization.zeroPoint)
      let isSigned = result.dataType == .int8
      return VectorMap.lowering(
        "\(name) float32 \(result.dataType.rawValue)", operandBytes: 4, resultBytes: 1, family: .integer,
        context.kernels
      ) { quantize($0, $1, $2, scale, zeroPoint, isSigned) }
    }
    let body: Lowering.Body =
      switch result.dataType {
      case .int8: try body(input, result, Int8.self)
      case .uint8: try body(input, result, UInt8.self)
      default: try body(input, result, Int16.self)
      }
    return Lowering("\(name) \(input.dataType.rawValue) \(result.dataType.rawValue)", body: body)
  }

  private func body<Result: QuantizedElement>(
    _ input: TensorType, _ result: TensorType, _: Result.Type
  ) throws(ApusError) -> Lowering.Body {
    guard input.dataType == .float32 else {
      let requantization = try Requantization(input, result)
      switch input.dataType {
      case .int8: return requantization.body(Int8.self, Result.self)
      case .uint8: return requantization.body(UInt8.self, Result.self)
      case .int16: return requantization.body(Int16.self, Result.self)
      default: return requantization.body(Int32.self, Result.self)
      }
    }
    guard let quantization = result.quantization else { throw .unsupportedType(result.dataType) }
    guard !quantization.isPerChannel else { return try channelBody(quantization, result, Result.self) }
    let (scale, zeroPoint) = (quantization.scale, quantization.zeroPoint)
    return { $0.map { $0.apply { (x: Float) -> Result in quantized(x, scale, zeroPoint) } } }
  }

  private func channelBody<Result: QuantizedElement>(
    _ quantization: Quantization, _ result: TensorType, _: Result.Type
  ) throws(ApusError) -> Lowering.Body {
    let layout = try ChannelLayout(quantization, result.shape)
    return { arguments in
      let source = arguments.input(0, as: Float.self)
      let target = arguments.output(0, as: Result.self)
      for run in 0..<(target.count / max(layout.inner, 1)) {
        let channel = layout.channel(ofRun: run)
        let (scale, zeroPoint) = (quantization.scales[channel], quantization.zeroPoints[channel])
        for index in run * layout.inner..<(run + 1) * layout.inner {
          target[index] = quantized(source[index], scale, zeroPoint)
        }
      }
    }
  }
}

/// The stored integer nearest to a real number; what is too large for 32 bits becomes the least one, as in
/// TFLite on x86.
@inline(__always)
private func quantized<Result: QuantizedElement>(_ x: Float, _ scale: Float, _ zeroPoint: Int32) -> Result {
  let steps = Int32(nearestTo: x / scale)
  return Result(clamping: steps &+ zeroPoint)
}

/// What bringing stored integers to another scale takes.
private struct Requantization: Sendable {
  let inputZeroPoint: Int32
  let outputZeroPoint: Int32
  let multiplier: FixedPointMultiplier

  init(_ input: TensorType, _ result: TensorType) throws(ApusError) {
    guard let from = input.quantization, !from.isPerChannel, let to = result.quantization, !to.isPerChannel
    else {
      throw ApusError(
        .unsupportedModel, "integers without one scale each for input and result",
        expected: "one scale and zero point each")
    }
    inputZeroPoint = from.zeroPoint
    outputZeroPoint = to.zeroPoint
    multiplier = FixedPointMultiplier(Double(from.scale) / Double(to.scale))
  }

  /// The stored result of a stored operand, before it is limited to its type.
  func stored(_ value: Int32) -> Int32 { multiplier.apply(value &- inputZeroPoint) &+ outputZeroPoint }

  func body<Element: FixedWidthInteger & TensorElement, Result: QuantizedElement>(
    _: Element.Type, _: Result.Type
  ) -> Lowering.Body {
    let requantization = self
    return {
      $0.map {
        $0.apply { (x: Element) -> Result in
          let value = Int32(truncatingIfNeeded: x) &- requantization.inputZeroPoint
          return Result(clamping: requantization.multiplier.apply(value) &+ requantization.outputZeroPoint)
        }
      }
    }
  }
}
