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

  /// Layers of those widths that are stored as one: `<name>_weight` [sum of widths, inputs] and, if they have one,
  /// `<name>_bias`; `weight` and `bias` without a name.
  static func stacked(
    _ weights: WeightPath, _ name: String? = nil, widths: [Int], inputs: Int, hasBias: Bool = true
  ) throws(ApusError) -> [Projection] {
    let prefix = name.map { "\($0)_" } ?? ""
    let outputs = widths.reduce(0, +)
    let weight = try weights.weight("\(prefix)weight", [outputs, inputs])
    let bias = hasBias ? try weights.weight("\(prefix)bias", [outputs]) : nil
    var parts: [Projection] = []
    var first = 0
    for (index, width) in widths.enumerated() {
      let rows = first..<first + width
      first += width
      parts.append(
        Projection(
          name: weights.key(name.map { "\($0).\(index)" } ?? "\(index)"), weight: try weight.rows(rows),
          bias: try bias?.rows(rows)))
    }
    return parts
  }
}
