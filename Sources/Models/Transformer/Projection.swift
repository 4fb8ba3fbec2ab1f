import TensorCore

/// The matrix and the offset of a linear layer, as they are stored.
struct Projection {
  /// Names the layer in the graph.
  let name: String
  /// [outputs, inputs]
  let weight: Tensor
  /// [outputs]
  let bias: Tensor?

  private init(name: String, weight: Tensor, bias: Tensor?) {
    self.name = name
    self.weight = weight
    self.bias = bias
  }

  /// `weight` and, if the layer has one, `bias` of a path.
  init(_ weights: WeightPath, inputs: Int, outputs: Int, hasBias: Bool = true) throws(ApusError) {
    name = weights.prefix
    weight = try weights.tensor("weight", [outputs, inputs])
    bias = hasBias ? try weights.tensor("bias", [outputs]) : nil
  }

  /// `count` layers of one size that are stored as one: `<name>_weight` [count · width, inputs] and
  /// `<name>_bias`.
  static func stacked(
    _ weights: WeightPath, _ name: String, count: Int, inputs: Int, width: Int
  ) throws(ApusError) -> [Projection] {
    let weight = try weights.tensor("\(name)_weight", [count * width, inputs])
    let bias = try weights.tensor("\(name)_bias", [count * width])
    var parts: [Projection] = []
    for index in 0..<count {
      let rows = index * width..<(index + 1) * width
      parts.append(
        Projection(
          name: weights.key("\(name).\(index)"), weight: try weight.rows(rows), bias: try bias.rows(rows)))
    }
    return parts
  }
}

extension Tensor {
  /// Slices of the outermost axis, sharing the memory of the whole.
  /// - Throws: ``ApusError`` when the range is not within the axis.
  func rows(_ range: Range<Int>) throws(ApusError) -> Tensor {
    guard let extent = shape.dimensions.first, range.lowerBound >= 0, range.upperBound <= extent else {
      throw ApusError(.argument, "rows \(range) of a tensor of shape \(shape)", expected: "rows that it has")
    }
    let rowByteCount = extent == 0 ? 0 : type.byteCount / extent
    var quantization = quantization
    if let whole = quantization, whole.isPerChannel, whole.axis == 0 {
      quantization = try Quantization(
        scales: Array(whole.scales[range]), zeroPoints: Array(whole.zeroPoints[range]), axis: 0)
    }
    let type = TensorType(
      dataType, try Shape([range.count] + shape.dimensions.dropFirst()), quantization: quantization)
    return try Tensor(type, storage: storage, byteOffset: byteOffset + range.lowerBound * rowByteCount)
  }
}
