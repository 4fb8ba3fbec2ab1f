import TensorCore

/// How numbers are stored in the input of a model.
enum InputEncoding: Sendable, Hashable {
  case float32
  /// The bytes of the picture, which the network scales itself: what uint8 without quantization stands for.
  case bytes
  /// q = clamp(round(x / scale) + zeroPoint), rounding half away from zero, as TFLite's QUANTIZE does.
  case uint8(scale: Float, zeroPoint: Int32)
  case int8(scale: Float, zeroPoint: Int32)

  /// - Throws: ``ApusError`` when the type is none of float32, uint8 and int8, when int8 has no quantization, or either
  ///   one for each channel.
  init(_ type: TensorType) throws(ApusError) {
    if type.dataType == .float32 {
      self = .float32
      return
    }
    guard type.dataType == .uint8 || type.dataType == .int8 else {
      throw ApusError(
        .unsupportedModel, "a picture input of type \(type.dataType.rawValue)",
        expected: "float32, uint8 or int8")
    }
    if type.dataType == .uint8, type.quantization == nil {
      self = .bytes
      return
    }
    guard let quantization = type.quantization, !quantization.isPerChannel else {
      throw ApusError(
        .unsupportedModel, "a picture input \(type) without one scale and zero point",
        expected: "quantization of the whole tensor")
    }
    let scale = quantization.scale, zeroPoint = quantization.zeroPoint
    self =
      type.dataType == .uint8
      ? .uint8(scale: scale, zeroPoint: zeroPoint) : .int8(scale: scale, zeroPoint: zeroPoint)
  }

  /// The byte that stands for `value`; meaningless for float32.
  func byte(_ value: Float) -> UInt8 {
    switch self {
    case .float32:
      0
    case .bytes:
      UInt8(Self.quantize(value, 1, 0, 0...255))
    case .uint8(let scale, let zeroPoint):
      UInt8(Self.quantize(value, scale, zeroPoint, 0...255))
    case .int8(let scale, let zeroPoint):
      UInt8(truncatingIfNeeded: Int(Self.quantize(value, scale, zeroPoint, -128...127)))
    }
  }

  /// The byte that stands for pixel value `x` when values are stored unchanged.
  func unchanged(_ x: UInt8) -> UInt8 {
    if case .int8 = self { x ^ 0x80 } else { x }
  }

  private static func quantize(
    _ value: Float, _ scale: Float, _ zeroPoint: Int32, _ range: ClosedRange<Float>
  ) -> Float {
    let quantized = (value / scale).rounded(.toNearestOrAwayFromZero) + Float(zeroPoint)
    // The order of the comparisons sends NaN to the lower bound.
    return quantized >= range.lowerBound ? min(quantized, range.upperBound) : range.lowerBound
  }
}

extension InputEncoding: CustomStringConvertible {
  var description: String {
    switch self {
    case .float32: "float32"
    case .bytes: "uint8"
    case .uint8(let scale, let zeroPoint): "uint8 with scale \(scale) and zero point \(zeroPoint)"
    case .int8(let scale, let zeroPoint): "int8 with scale \(scale) and zero point \(zeroPoint)"
    }
  }
}
