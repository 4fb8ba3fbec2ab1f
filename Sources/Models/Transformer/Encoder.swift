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
    var x = x
    for index in 0..<configuration.layers {
      let isLast = index == configuration.layers - 1
      x = try layer(x, segments, weights[index], keeping: isLast ? kept : nil, bias: bias, in: &graph)
    }
    guard configuration.layers == 0, let kept else { return x }
    return try graph.gather(x, kept, at: weights.key("kept rows"))
  }

  private func layer(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: Value?, bias: Value?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let norms = (attention: weights[names.attentionNorm], output: weights[names.outputNorm])
    var x = x
    switch configuration.order {
    case .normFirst:
      let normal = try graph.layerNorm(x, norms.attention, epsilon: configuration.epsilon)
      let attended = try attention(normal, segments, weights, keeping: kept, bias: bias, in: &graph)
      if let kept { x = try graph.gather(x, kept, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      let expanded = try feedForward(
        graph.layerNorm(x, norms.output, epsilon: configuration.epsilon), weights, in: &graph)
      return try graph.sum(expanded, x, at: weights.key("sum"))
    case .normLast:
      let attended = try attention(x, segments, weights, keeping: kept, bias: bias, in: &graph)
      if let kept { x = try graph.gather(x, kept, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      x = try graph.layerNorm(x, norms.attention, epsilon: configuration.epsilon)
      x = try graph.sum(feedForward(x, weights, in: &graph), x, at: weights.key("sum"))
      return try graph.layerNorm(x, norms.output, epsilon: configuration.epsilon)
    }
  }

  /// Attention of the rows of each sequence to one another, projected back.
  private func attention(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: Value?, bias: Value?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let width = configuration.width
    let place = weights.key("attention")
    let parts = try projections(weights)
    let mask: [Value?] = bias.map { [$0] } ?? []
    let attended: Value
    if let kept {
      let queries = try graph.linear(
        graph.gather(x, kept, at: "\(place) kept rows"), [parts[0]], at: "\(place) queries")
      let others = try graph.linear(x, Array(parts[1...]), at: "\(place) keys and values")
      let single = try segments.singleQueries(in: &graph)
      // The last row of a causal sequence sees all of it, so that only a bias is left to add.
      let operation = operation(isCausal: false, keyOffset: 0, valueOffset: width)
      attended = try graph.apply(
        operation, [queries, others, others, single, segments.keys] + mask, at: place)
    } else {
      let all = try graph.linear(x, parts, at: "\(place) projections")
      let operation = operation(isCausal: configuration.isCausal, keyOffset: width, valueOffset: 2 * width)
      attended = try graph.apply(
        operation, [all, all, all, segments.bounds, segments.keys] + mask, at: place)
    }
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

  /// The two linear layers after attention with the activation between them.
  private func feedForward(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let expanded = try graph.linear(
      x, weights[names.expansion], outputs: configuration.expandedWidth, activation: configuration.activation)
    return try graph.linear(expanded, weights[names.contraction], outputs: configuration.width)
  }
}
