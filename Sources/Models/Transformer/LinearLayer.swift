import Graph
import TensorCore

/// What a family calls a linear layer, from the place of the part that it belongs to, and whether that has offsets.
struct LinearLayer: Sendable, ExpressibleByStringLiteral {
  let name: String
  var hasBias = true

  init(_ name: String, hasBias: Bool) { (self.name, self.hasBias) = (name, hasBias) }

  init(stringLiteral name: String) { self.name = name }

  static func withoutBias(_ name: String) -> LinearLayer { LinearLayer(name, hasBias: false) }
}

extension GraphBuilder {
  /// The linear layer of that name.
  mutating func linear(
    _ x: Value, _ weights: WeightPath, _ layer: LinearLayer, outputs: Int,
    activation: Activation = .none
  ) throws(ApusError) -> Value {
    try linear(x, weights[layer.name], outputs: outputs, hasBias: layer.hasBias, activation: activation)
  }
}
