import TensorCore

/// The matrix and the offset of a linear layer, as they are stored.
struct Projection {
  /// Names the layer in the graph.
  let name: String
  /// [outputs, inputs]
  let weight: StoredWeight
  /// [outputs]
  let bias: StoredWeight?

  private init(name: String, weight: StoredWeight, bias: StoredWeight?) {
    self.name = name
    self.weight = weight
    self.bias = bias
  }

  /// `weight` and, if the layer has one, `bias` of a path.
  init(_ weights: WeightPath, inputs: Int, outputs: Int, hasBias: Bool = true) throws(ApusError) {
    name = weights.prefix
    weight = try weights.weight("weight", [outputs, inputs])
    bias = hasBias ? try weights.weight("bias", [outputs]) : nil
  }

  /// `count` layers of one size that are stored as one: `<name>_weight` [count · width, inputs] and, if they have one,
  /// `<name>_bias`; `weight` and `bias` without a name.
  static func stacked(
    _ weights: WeightPath, _ name: String? = nil, count: Int, inputs: Int, width: Int, hasBias: Bool = true
  ) throws(ApusError) -> [Projection] {
    let prefix = name.map { "\($0)_" } ?? ""
    let weight = try weights.weight("\(prefix)weight", [count * width, inputs])
    let bias = hasBias ? try weights.weight("\(prefix)bias", [count * width]) : nil
    var parts: [Projection] = []
    for index in 0..<count {
      let rows = index * width..<(index + 1) * width
      parts.append(
        Projection(
          name: weights.key(name.map { "\($0).\(index)" } ?? "\(index)"), weight: try weight.rows(rows),
          bias: try bias?.rows(rows)))
    }
    return parts
  }
}
