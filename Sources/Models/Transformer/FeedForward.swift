import Graph
import TensorCore

/// What a layer does with each row by itself: two linear layers with an activation between them.
struct FeedForward: Sendable {
  enum Expansion: Sendable {
    /// One linear layer, activated.
    case plain(LinearLayer)
    /// The activated features of one linear layer times those of another (SwiGLU, Shazeer 2020), stored as one: the first
    /// above the second.
    case stackedGate(LinearLayer)
  }

  let expansion: Expansion
  let contraction: LinearLayer
  let activation: LinearActivation
  /// Features between the two.
  let width: Int

  init(_ expansion: Expansion, _ contraction: LinearLayer, _ activation: LinearActivation, width: Int) {
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
    let expanded =
      switch expansion {
      case .plain(let layer):
        try graph.linear(x, weights, layer, outputs: width, activation: activation)
      case .stackedGate(let layer): try gated(x, weights[layer.name], hasBias: layer.hasBias, in: &graph)
      }
    return try graph.linear(expanded, weights, contraction, outputs: graph.width(x))
  }

  private func gated(
    _ x: Value, _ weights: WeightPath, hasBias: Bool, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let halves = try Projection.stacked(
      weights, count: 2, inputs: graph.width(x), width: width, hasBias: hasBias)
    let gate = try graph.linear(x, [halves[0]], activation: activation, at: weights.key("gate"))
    let values = try graph.linear(x, [halves[1]], at: weights.key("values"))
    return try graph.apply(Multiply(), [gate, values], at: weights.key("gated"))
  }
}
