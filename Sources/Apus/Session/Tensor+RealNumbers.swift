import Graph
import TensorCore

extension Tensor {
  /// The real numbers that elements stand for, in row-major order: quantized ones by their scale and zero point,
  /// `scale × (stored − zeroPoint)`; truth values as 0 and 1; numbers of other types as the nearest `Float`.
  /// - Throws: ``ApusError`` of kind `malformedModel` when there are not as many scales as slices along their axis.
  public func realNumbers() throws(ApusError) -> [Float] { try realNumbers(0..<shape.elementCount) }

  /// A tensor of the elements of `type` that stand for real numbers as nearly as they can. Integers are
  /// `number / scale + zeroPoint`, rounded to nearest, halves away from zero, and end at the ends of their range, as
  /// TensorFlow Lite quantizes.
  ///
  ///     let type = TensorType(.int8, .vector(3), quantization: try Quantization(scales: [0.5], zeroPoints: [-3]))
  ///     let tensor = try Tensor(realNumbers: [0, 1, -1], as: type)
  ///     print(try tensor.elements(of: Int8.self))
  ///
  /// - Parameters:
  ///   - numbers: in row-major order.
  ///   - type: the elements, their shape, and what integers stand for.
  /// - Throws: ``ApusError`` of kind `argument` if the number of elements does not match the shape; of kind
  ///   `unsupportedModel` for types other than `float32`, `bool` and signed or 8-bit integers.
  public init(realNumbers numbers: [Float], as type: TensorType) throws(ApusError) {
    self = try Tensor(numbers, shape: type.shape).represented(as: type)
  }

  /// The real numbers of the elements at some positions.
  package func realNumbers(_ range: Range<Int>) throws(ApusError) -> [Float] {
    let part = try Tensor(
      TensorType(dataType, .vector(range.count)), storage: storage,
      byteOffset: byteOffset + range.lowerBound * dataType.byteCount)
    if dataType == .float64 { return try part.elements(of: Double.self).map(Float.init) }
    if dataType == .bool { return try part.elements(of: Bool.self).map { $0 ? 1 : 0 } }
    if dataType.isFloat { return try part.floats() }
    let stored = try part.integers()
    guard let quantization = try ElementQuantization(type) else { return stored.map(Float.init) }
    return stored.enumerated().map { position, stored in
      let (scale, zeroPoint) = quantization[range.lowerBound + position]
      // No difference of Doubles overflows; of 32-bit integers it is exact.
      return scale * Float(Double(stored) - Double(zeroPoint))
    }
  }

  /// The elements of another type that stand for these numbers as nearly as they can; integers are rounded to
  /// nearest, halves away from zero, and end at the ends of their range.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a type that no run reads between nodes.
  package func represented(as type: TensorType) throws(ApusError) -> Tensor {
    if dataType == type.dataType, quantization == type.quantization { return try reinterpreted(as: type) }
    let numbers = try realNumbers()
    switch type.dataType {
    case .float32: return try Tensor(numbers, shape: type.shape)
    case .int8: return try .quantizing(numbers, as: type, Int8.self)
    case .uint8: return try .quantizing(numbers, as: type, UInt8.self)
    case .int16: return try .quantizing(numbers, as: type, Int16.self)
    case .int32: return try .quantizing(numbers, as: type, Int32.self)
    case .int64: return try .quantizing(numbers, as: type, Int64.self)
    case .bool: return try Tensor(numbers.map { $0 != 0 }, shape: type.shape)
    default:
      throw ApusError(
        .unsupportedModel, "activations of \(type.dataType.rawValue)", expected: "float32 or integers")
    }
  }

  private static func quantizing<Element: TensorElement & FixedWidthInteger>(
    _ numbers: [Float], as type: TensorType, _: Element.Type
  ) throws(ApusError) -> Tensor {
    let quantization = try ElementQuantization(type)
    let stored = numbers.enumerated().map { position, number -> Element in
      let (scale, zeroPoint) = quantization?[position] ?? (1, 0)
      let steps = (number / scale).rounded(.toNearestOrAwayFromZero)
      guard !steps.isNaN else { return Element(clamping: zeroPoint) }
      // Double holds the sum exactly wherever it is in range.
      return Element(exactly: Double(steps) + Double(zeroPoint)) ?? (steps < 0 ? .min : .max)
    }
    return try Tensor(stored, shape: type.shape, quantization: type.quantization)
  }
}

extension TensorType {
  /// The numbers within half a step of one that a type with one scale and zero point can hold; nil for other types.
  package var realRange: ClosedRange<Float>? {
    guard let quantization, !quantization.isPerChannel, let stored = dataType.quantizedRange else {
      return nil
    }
    let zeroPoint = Float(quantization.zeroPoint)
    let lower = (Float(stored.lowerBound) - zeroPoint - 0.5) * quantization.scale
    return lower...max(lower, (Float(stored.upperBound) - zeroPoint + 0.5) * quantization.scale)
  }
}

/// The scale and zero point of each element of a quantized tensor.
private struct ElementQuantization {
  private let scales: [Float]
  private let zeroPoints: [Int]
  /// Elements in a row that share a scale.
  private let stride: Int

  /// Nil for a tensor that is not quantized.
  init?(_ type: TensorType) throws(ApusError) {
    guard let quantization = type.quantization else { return nil }
    scales = quantization.scales
    zeroPoints = quantization.zeroPoints.map(Int.init)
    guard quantization.isPerChannel else {
      stride = 1
      return
    }
    guard let axis = quantization.axis, type.shape.dimensions.indices.contains(axis),
      type.shape[axis] == scales.count
    else {
      throw ApusError(
        .malformedModel, "\(scales.count) scales along axis \(quantization.axis ?? 0) of shape \(type.shape)")
    }
    stride = max(type.shape.strides[axis], 1)
  }

  subscript(position: Int) -> (scale: Float, zeroPoint: Int) {
    let channel = scales.count == 1 ? 0 : position / stride % scales.count
    return (scales[channel], zeroPoints[channel])
  }
}
