import TensorCore

/// How the integers of a tensor stand for real numbers, as the file gives it.
package struct TFLiteQuantization: Sendable, Equatable {
  /// The scheme when it is not a scale and zero point per tensor or channel; Apus runs none of these.
  package enum Scheme: UInt8, Sendable {
    case affine = 0
    case custom = 1
    case blockwise = 2
    case multiAxis = 3
  }

  package let scheme: Scheme
  /// Scales and zero points of an integer tensor, verified against its shape and type; nil when it has none.
  package let parameters: Quantization?
  /// The one scale and zero point of a tensor that is not declared as integers: some operators have results
  /// of their operands' type whatever is declared. Nil when they make no sense.
  package let undeclared: Quantization?
  /// The smallest and largest real values seen when the model was made; often empty.
  package let minimum: [Float]
  package let maximum: [Float]

  /// - Parameters:
  ///   - table: the `QuantizationParameters`.
  ///   - type: the element type; parameters of types that are not integers mean nothing and are passed over.
  init(_ table: FlatBufferTable, type: TFLiteTensorType, shape: Shape) throws(ApusError) {
    minimum = try table.floats(0, "min")
    maximum = try table.floats(1, "max")
    let raw = try table.integer(4, "details_type", default: 0 as UInt8)
    guard let scheme = Scheme(rawValue: raw) else {
      throw table.error(4, "details_type", "unknown quantization scheme \(raw)", expected: "one of 0 to 3")
    }
    self.scheme = scheme
    let scales = try table.floats(2, "scale")
    let zeroPoints = try table.integers(3, "zero_point", of: Int64.self) ?? []
    guard scheme == .affine, let allowed = type.zeroPointRange, !scales.isEmpty || !zeroPoints.isEmpty else {
      parameters = nil
      undeclared = type.zeroPointRange == nil ? Self.single(scales, zeroPoints) : nil
      return
    }
    guard scales.count == zeroPoints.count else {
      throw table.error(
        2, "scale", "\(scales.count) scales and \(zeroPoints.count) zero points",
        expected: "as many of one as of the other")
    }
    for (index, scale) in scales.enumerated() where !(scale.isFinite && scale > 0) {
      throw table.error(2, "scale", "scale \(index) is \(scale)", expected: "a positive finite number")
    }
    for (index, zeroPoint) in zeroPoints.enumerated() where !allowed.contains(zeroPoint) {
      throw table.error(
        3, "zero_point", "zero point \(index) is \(zeroPoint)",
        expected: "\(allowed.lowerBound) to \(allowed.upperBound) for \(type.name)")
    }
    undeclared = nil
    parameters = try Quantization(
      scales: scales, zeroPoints: zeroPoints.map(Int32.init(truncatingIfNeeded:)),
      axis: scales.count == 1 ? nil : try Self.axis(table, of: shape, channels: scales.count))
  }

  private static func single(_ scales: [Float], _ zeroPoints: [Int64]) -> Quantization? {
    guard scales.count == 1, zeroPoints.count == 1, let zeroPoint = Int32(exactly: zeroPoints[0]) else {
      return nil
    }
    return try? Quantization(scales: scales, zeroPoints: [zeroPoint])
  }

  /// The axis that the scales belong to. Files exist whose 1-D biases name the axis of their weights.
  private static func axis(_ table: FlatBufferTable, of shape: Shape, channels: Int) throws(ApusError) -> Int
  {
    let named = try table.int(6, "quantized_dimension")
    let axis = shape.rank == 1 ? 0 : named
    guard axis >= 0, axis < shape.rank else {
      throw table.error(
        6, "quantized_dimension", "\(channels) scales along axis \(named) of shape \(shape)",
        expected: "one of its \(shape.rank) axes")
    }
    guard shape[axis] == channels else {
      throw table.error(
        2, "scale", "\(channels) scales along axis \(axis) of shape \(shape)", expected: "\(shape[axis])")
    }
    return axis
  }
}
