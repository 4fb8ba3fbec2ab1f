import TensorCore

/// A float tensor in another float type, each number the nearest of it.
enum NarrowedFloats {
  /// - Parameters:
  ///   - type: float32, float16 or bfloat16.
  ///   - factors: by which rows and columns are multiplied first.
  /// - Throws: ``ApusError`` when a number is not finite; of kind `unsupportedModel` when one is too large.
  static func tensor(
    _ tensor: Tensor, as type: DataType, named name: String, factors: TensorFactors? = nil
  ) throws(ApusError) -> Tensor {
    switch type {
    case .float16, .bfloat16:
      var bits: [UInt16] = []
      bits.reserveCapacity(tensor.shape.elementCount)
      try forEach(tensor, as: type, named: name, factors) { _, rounded in
        bits.append(type == .float16 ? Float16(rounded).bitPattern : BFloat16(rounded).bitPattern)
      }
      return try Tensor(bits, shape: tensor.shape).reinterpreted(as: TensorType(type, tensor.shape))
    default:
      var values: [Float] = []
      values.reserveCapacity(tensor.shape.elementCount)
      try forEach(tensor, as: type, named: name, factors) { _, rounded in values.append(rounded) }
      return try Tensor(values, shape: tensor.shape)
    }
  }

  /// The rounding error, without a copy.
  static func error(
    _ tensor: Tensor, as type: DataType, named name: String, factors: TensorFactors? = nil
  ) throws(ApusError) -> SignalToNoise {
    var error = SignalToNoise()
    try forEach(tensor, as: type, named: name, factors) { original, rounded in
      error.add(original, became: rounded)
    }
    return error
  }

  private static func forEach(
    _ tensor: Tensor, as type: DataType, named name: String, _ factors: TensorFactors?,
    _ body: (Float, Float) -> Void
  ) throws(ApusError) {
    try FloatChunks(tensor, named: name, factors: factors).forEach { (start, chunk) throws(ApusError) in
      for (index, value) in chunk.enumerated() {
        let rounded =
          switch type {
          case .float16: Float(Float16(value))
          case .bfloat16: Float(BFloat16(value))
          default: value
          }
        guard rounded.isFinite else {
          throw ApusError(
            .unsupportedModel, "element \(start + index) is \(value)",
            expected: "numbers that \(type.rawValue) can hold", at: "tensor '\(name.clipped)'",
            advice: type == .float16 ? "Use bf16, whose range is that of f32." : nil)
        }
        body(value, rounded)
      }
    }
  }
}
