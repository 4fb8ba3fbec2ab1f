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
  ///     row of its sequence; with a bias, distances or a window, the first.
  func callAsFunction(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: Value? = nil,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let layers = (0..<configuration.layers).map { EncoderLayer(weights[$0]) }
    return try callAsFunction(x, segments, layers: layers, keeping: kept, in: &graph)
  }

  /// The same for these layers, in the order in which they run. Several may have the same weights, which are then packed
  /// once.
  func callAsFunction(
    _ x: Value, _ segments: Segments, layers: [EncoderLayer], keeping kept: Value? = nil,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let last = layers.last else {
      guard let kept else { return x }
      return try graph.gather(x, kept, at: "kept rows")
    }
    var x = x
    let before = layers.dropLast()
    for layer in before { x = try result(x, segments, of: layer, keeping: nil, in: &graph) }
    let sharesWeights = before.contains { $0.weights.prefix == last.weights.prefix }
    let rows = kept.map { KeptRows(rows: $0, areProjectedWithAll: sharesWeights) }
    return try result(x, segments, of: last, keeping: rows, in: &graph)
  }

  /// The only rows whose result is wanted of a layer.
  private struct KeptRows {
    let rows: Value
    /// Whether their queries are made together with keys and values, of all rows: by the matrix that an earlier layer
    /// has packed. Apart they would take another.
    let areProjectedWithAll: Bool
  }

  private func result(
    _ x: Value, _ segments: Segments, of layer: EncoderLayer, keeping kept: KeptRows?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let weights = layer.weights
    let norms = (attention: weights[names.attentionNorm], output: weights[names.outputNorm])
    var x = x
    switch configuration.order {
    case .normFirst:
      let normal = layer.normalizesInput ? try normalized(x, norms.attention, in: &graph) : x
      let attended = try scaled(
        attention(normal, segments, layer, keeping: kept, in: &graph), by: names.attentionScale,
        weights, in: &graph)
      if let kept { x = try graph.gather(x, kept.rows, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      let rows = try normalized(x, norms.output, in: &graph)
      let expanded = try scaled(
        feedForward(rows, weights, in: &graph), by: names.outputScale, weights, in: &graph)
      return try graph.sum(expanded, x, at: weights.key("sum"))
    case .normLast:
      let attended = try attention(x, segments, layer, keeping: kept, in: &graph)
      if let kept { x = try graph.gather(x, kept.rows, at: weights.key("kept rows")) }
      x = try graph.sum(attended, x, at: weights.key("attention sum"))
      x = try normalized(x, norms.attention, in: &graph)
      x = try graph.sum(feedForward(x, weights, in: &graph), x, at: weights.key("sum"))
      return try normalized(x, norms.output, in: &graph)
    }
  }

  private func normalized(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    try graph.layerNorm(
      x, weights, epsilon: configuration.epsilon, hasOffset: configuration.hasNormOffset)
  }

  /// Attention of the rows of each sequence to one another, projected back.
  private func attention(
    _ x: Value, _ segments: Segments, _ layer: EncoderLayer, keeping kept: KeptRows?,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (weights, width, heads) = (layer.weights, configuration.width, configuration.heads)
    let place = weights.key("attention")
    var x = x
    if let rows = layer.attendedRows { x = try rows.attended(x, at: place, in: &graph) }
    let parts = try projections(weights)
    let (queries, keys, others, keyOffset): (Value, Value, Value, Int)
    if let kept, !kept.areProjectedWithAll {
      let own = try graph.linear(
        graph.gather(x, kept.rows, at: "\(place) kept rows"), [parts[0]], at: "\(place) queries")
      let angles = try layer.angles.map { (angles) throws(ApusError) in
        try graph.gather(angles, kept.rows, at: "\(place) kept angles")
      }
      queries = try graph.turned(own, by: angles, heads: heads, at: "\(place) turned queries")
      others = try graph.linear(x, Array(parts[1...]), at: "\(place) keys and values")
      keys = try graph.turned(others, by: layer.angles, heads: heads, at: "\(place) turned keys")
      keyOffset = 0
    } else {
      others = try graph.linear(x, parts, at: "\(place) projections")
      keys = try graph.turned(others, by: layer.angles, heads: 2 * heads, at: "\(place) turned")
      if let kept {
        queries = try graph.gather(keys, kept.rows, at: "\(place) kept rows")
      } else {
        queries = keys
      }
      keyOffset = width
    }
    let bounds = kept == nil ? segments.bounds : try segments.singleQueries(in: &graph)
    // The last row of a causal sequence sees all of it, so that only a bias is left to add.
    let operation = Attention(
      heads: heads, headWidth: configuration.headWidth, scale: configuration.scale,
      isCausal: configuration.isCausal && kept == nil, keyOffset: keyOffset, valueOffset: keyOffset + width,
      maskForm: layer.distances == nil ? layer.biasForm : .buckets, maskOrder: layer.biasOrder,
      window: layer.window)
    let terms = try layer.distances.map { (distances) throws(ApusError) in
      try distances.terms(queries: queries, keys: keys, keyOffset: keyOffset, at: place, in: &graph)
    }
    let mask: [Value?] = terms ?? layer.bias.map { [$0] } ?? []
    var attended = try graph.apply(
      operation, [queries, keys, others, bounds, segments.keys] + mask, at: place)
    if let rows = layer.attendedRows { attended = try rows.own(attended, at: place, in: &graph) }
    return try graph.linear(
      attended, weights[names.attentionOutput], outputs: width, hasBias: configuration.hasAttentionOutputBias)
  }

  /// The projections to queries, keys and values.
  private func projections(_ weights: WeightPath) throws(ApusError) -> [Projection] {
    let (width, hasBias) = (configuration.width, configuration.hasProjectionBias)
    switch names.projections {
    case .stacked(let path, let name):
      return try Projection.stacked(
        weights[path], name, count: 3, inputs: width, width: width, hasBias: hasBias)
    case .separate(let query, let key, let value):
      var parts: [Projection] = []
      for name in [query, key, value] {
        let isOffset = hasBias && (name != key || configuration.hasKeyBias)
        parts.append(try Projection(weights[name], inputs: width, outputs: width, hasBias: isOffset))
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
        x, first, outputs: configuration.expandedWidth, hasBias: configuration.hasFeedForwardBias,
        activation: configuration.activation)
    return try graph.linear(
      expanded, weights[names.contraction], outputs: configuration.width,
      hasBias: configuration.hasFeedForwardBias)
  }

  /// The activated features of a matrix's upper half times those of its lower one.
  private func gated(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let halves = try Projection.stacked(
      weights, count: 2, inputs: configuration.width, width: configuration.expandedWidth,
      hasBias: configuration.hasFeedForwardBias)
    let gate = try graph.linear(
      x, [halves[0]], activation: configuration.activation, at: weights.key("gate"))
    let values = try graph.linear(x, [halves[1]], at: weights.key("values"))
    return try graph.apply(Multiply(), [gate, values], at: weights.key("gated"))
  }
}
