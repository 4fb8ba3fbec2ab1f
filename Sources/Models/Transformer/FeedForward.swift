import Graph
import TensorCore

/// What a layer does with each row by itself: two linear layers with an activation between them.
struct FeedForward: Sendable {
  enum Expansion: Sendable {
    /// One linear layer, activated.
    case plain(LinearLayer)
    /// The activated features of one linear layer, the gate, times those of another (SwiGLU, Shazeer 2020).
    case gated(LinearLayer, LinearLayer)
    /// The same, stored as one, in an order.
    case stackedGate(LinearLayer, Order = .gateFirst)
  }

  enum Order: Sendable { case gateFirst, gateLast }

  let expansion: Expansion
  let contraction: LinearLayer
  let activation: Activation
  /// Features between the two.
  let width: Int

  init(_ expansion: Expansion, _ contraction: LinearLayer, _ activation: Activation, width: Int) {
    (self.expansion, self.contraction) = (expansion, contraction)
    (self.activation, self.width) = (activation, width)
  }

  /// With the sizes of a family's layers.
  init(_ expansion: Expansion, _ contraction: LinearLayer, _ sizes: EncoderConfiguration) {
    self.init(expansion, contraction, sizes.activation, width: sizes.expandedWidth)
  }

  /// - Parameter x: float32 [rows, features], as the result.
  func callAsFunction(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let inputs = graph.width(x)
    let expanded: Value
    switch expansion {
    case .plain(let layer):
      expanded = try graph.linear(x, weights, layer, outputs: width, activation: activation)
    case .gated(let gate, let values):
      let parts = try [gate, values].map { (layer) throws(ApusError) in
        try Projection(weights[layer.name], inputs: inputs, outputs: width, hasBias: layer.hasBias)
      }
      expanded = try gated(x, parts[0], parts[1], at: weights, in: &graph)
    case .stackedGate(let layer, let order):
      let place = weights[layer.name]
      let halves = try Projection.stacked(
        place, widths: [width, width], inputs: inputs, hasBias: layer.hasBias)
      let gate = order == .gateFirst ? 0 : 1
      expanded = try gated(x, halves[gate], halves[1 - gate], at: place, in: &graph)
    }
    return try graph.linear(expanded, weights, contraction, outputs: inputs)
  }

  private func gated(
    _ x: Value, _ gate: Projection, _ values: Projection, at place: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let gate = try graph.linear(x, [gate], activation: activation, at: place.key("gate"))
    let values = try graph.linear(x, [values], at: place.key("values"))
    return try graph.apply(Multiply(), [gate, values], at: place.key("gated"))
  }
}
