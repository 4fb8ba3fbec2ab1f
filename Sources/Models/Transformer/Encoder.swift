import Graph
import TensorCore

/// A stack of transformer layers over the rows of a ragged batch (Vaswani et al. 2017).
struct Encoder {
  let configuration: EncoderConfiguration
  let names: EncoderNames

  /// All layers, whose weights are the numbered members of `weights`.
  ///
  /// - Parameters:
  ///   - x: float32 [rows, width].
  ///   - kept: the only rows whose result is wanted, one for each sequence, in order; then the last layer
  ///     computes no others, and the result is [sequences, width]. In a causal encoder each must be the last
  ///     row of its sequence; with a bias, the first.
  ///   - bias: what every layer adds to its scaled products by the distance of query and key, float32
  ///     [1, heads or 1, 1, 2 · L − 1] for sequences of at most L rows.
  func callAsFunction(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: Value? = nil, bias: Value? = nil,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let layers = (0..<configuration.layers).map { weights[$0] }
    return try callAsFunction(x, segments, layers: layers, keeping: kept, bias: bias, in: &graph)
  }

  /// The same for layers whose weights are at these places, in the order in which they run. Several may have the same
  /// weights, which are then packed once.
  func callAsFunction(
    _ x: Value, _ segments: Segments, layers: [WeightPath], keeping kept: Value? = nil, bias: Value? = nil,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let last = layers.last else {
      guard let kept else { return x }
      return try graph.gather(x, kept, at: "kept rows")
    }
    var x = x
    let before = layers.dropLast()
    for weights in before { x = try layer(x, segments, weights, keeping: nil, bias: bias, in: &graph) }
    let sharesWeights = before.contains { $0.prefix == last.prefix }
    let rows = kept.map { KeptRows(rows: $0, areProjectedWithAll: sharesWeights) }
    return try layer(x, segments, last, keeping: rows, bias: bias, in: &graph)
  }

  /// The only rows whose result is wanted of a layer.
  private struct KeptRows {
    let rows: Value
    /// Whether their queries are made together with keys and values, of all rows: by the matrix that an earlier layer
    /// has packed. Apart they would take another.
    let areProjectedWithAll: Bool
  }

  private func layer(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: KeptRows?, bias: Value?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let norms = (attention: weights[names.attentionNorm], output: weights[names.outputNorm])
    var x = x
    switch configuration.order {
    case .normFirst:
      let normal = try graph.layerNorm(x, norms.attention, epsilon: configuration.epsilon)
      let attended = try scaled(
        attention(normal, segments, weights, keeping: kept, bias: bias, in: &graph), by: names.attentionScale,
        weights, in: &graph)
      if let kept { x = try graph.gather(x, kept.rows, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      let normalized = try graph.layerNorm(x, norms.output, epsilon: configuration.epsilon)
      let expanded = try scaled(
        feedForward(normalized, weights, in: &graph), by: names.outputScale, weights, in: &graph)
      return try graph.sum(expanded, x, at: weights.key("sum"))
    case .normLast:
      let attended = try attention(x, segments, weights, keeping: kept, bias: bias, in: &graph)
      if let kept { x = try graph.gather(x, kept.rows, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      x = try graph.layerNorm(x, norms.attention, epsilon: configuration.epsilon)
      x = try graph.sum(feedForward(x, weights, in: &graph), x, at: weights.key("sum"))
      return try graph.layerNorm(x, norms.output, epsilon: configuration.epsilon)
    }
  }

  /// Attention of the rows of each sequence to one another, projected back.
  private func attention(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: KeptRows?, bias: Value?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let width = configuration.width
    let place = weights.key("attention")
    let parts = try projections(weights)
    let mask: [Value?] = bias.map { [$0] } ?? []
    let (queries, others, keyOffset): (Value, Value, Int)
    if let kept, !kept.areProjectedWithAll {
      queries = try graph.linear(
        graph.gather(x, kept.rows, at: "\(place) kept rows"), [parts[0]], at: "\(place) queries")
      others = try graph.linear(x, Array(parts[1...]), at: "\(place) keys and values")
      keyOffset = 0
    } else {
      others = try graph.linear(x, parts, at: "\(place) projections")
      if let kept {
        queries = try graph.gather(others, kept.rows, at: "\(place) kept rows")
      } else {
        queries = others
      }
      keyOffset = width
    }
    let bounds = kept == nil ? segments.bounds : try segments.singleQueries(in: &graph)
    // The last row of a causal sequence sees all of it, so that only a bias is left to add.
    let operation = operation(
      isCausal: configuration.isCausal && kept == nil, keyOffset: keyOffset, valueOffset: keyOffset + width)
    let attended = try graph.apply(
      operation, [queries, others, others, bounds, segments.keys] + mask, at: place)
    return try graph.linear(attended, weights[names.attentionOutput], outputs: width)
  }

  private func operation(isCausal: Bool, keyOffset: Int, valueOffset: Int) -> Attention {
    Attention(
      heads: configuration.heads, headWidth: configuration.headWidth, scale: configuration.scale,
      isCausal: isCausal, keyOffset: keyOffset, valueOffset: valueOffset, maskForm: .distances)
  }

  /// The projections to queries, keys and values.
  private func projections(_ weights: WeightPath) throws(ApusError) -> [Projection] {
    let width = configuration.width
    switch names.projections {
    case .stacked(let path, let name):
      return try Projection.stacked(weights[path], name, count: 3, inputs: width, width: width)
    case .separate(let query, let key, let value):
      var parts: [Projection] = []
      for name in [query, key, value] {
        parts.append(
          try Projection(
            weights[name], inputs: width, outputs: width, hasBias: configuration.hasProjectionBias))
      }
      return parts
    }
  }

  /// Each feature times its factor, of the family that has any.
  private func scaled(
    _ x: Value, by factors: String?, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let factors else { return x }
    let scale = try graph.float32(weights, factors, [configuration.width])
    return try graph.apply(Multiply(), [x, scale], at: weights.key("\(factors) scaled"))
  }

  /// The two linear layers after attention with the activation between them.
  private func feedForward(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let first = weights[names.expansion]
    let expanded =
      configuration.isGated
      ? try gated(x, first, in: &graph)
      : try graph.linear(
        x, first, outputs: configuration.expandedWidth, activation: configuration.activation)
    return try graph.linear(expanded, weights[names.contraction], outputs: configuration.width)
  }

  /// The activated features of a matrix's upper half times those of its lower one.
  private func gated(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let halves = try Projection.stacked(
      weights, count: 2, inputs: configuration.width, width: configuration.expandedWidth)
    let gate = try graph.linear(
      x, [halves[0]], activation: configuration.activation, at: weights.key("gate"))
    let values = try graph.linear(x, [halves[1]], at: weights.key("values"))
    return try graph.apply(Multiply(), [gate, values], at: weights.key("gated"))
  }
}
