import Graph
import TensorCore

/// Attention of the rows of each sequence to one another: projected to the queries, keys and values of several heads, and
/// back (Vaswani et al. 2017, section 3.2.2).
struct SelfAttention {
  /// The linear layers to queries, keys and values.
  enum Projections: Sendable {
    case separate(LinearLayer, LinearLayer, LinearLayer)
    /// One matrix for all three, in this order, whose weights' names begin with a prefix: `in_proj` of PyTorch's
    /// `MultiheadAttention`, nothing of a linear layer.
    case stacked(LinearLayer, prefix: String? = nil)

    static func separate(_ query: String, _ key: String, _ value: String, hasBias: Bool) -> Projections {
      let layers = (query, key, value)
      return .separate(
        LinearLayer(layers.0, hasBias: hasBias), LinearLayer(layers.1, hasBias: hasBias),
        LinearLayer(layers.2, hasBias: hasBias))
    }
  }

  /// Which rows of its sequence a row attends.
  enum Reach: Sendable {
    case all
    /// Itself and those before it.
    case before
    /// Those up to so many before and behind it.
    case near(Int)
  }

  /// What is added to the scaled products of queries and keys.
  enum Bias {
    /// By the distance of query and key, float32 [masks, heads or 1, 1, 2 · L − 1] for sequences of at most L rows: one mask
    /// for all sequences, or one for each.
    case distances(Value)
    /// By their positions, float32 [masks, heads or 1, L, L].
    /// - order: which mask each sequence has, over and over; empty where all have one, or each its own.
    case positions(Value, order: [Int] = [])
    /// The products of rows with learned vectors for distances.
    case vectors(DistanceOperands)
  }

  /// What normalises each head of the queries and of the keys, before they are turned.
  struct HeadNorm {
    let norm: Norm
    let queries, keys: String
  }

  let heads: Int
  /// Heads of the keys and of the values: a divisor of ``heads``, of which as many neighbours share one.
  let keyHeads: Int
  /// Columns of one head.
  let headWidth: Int
  let projections: Projections
  let output: LinearLayer
  /// What the products of queries and keys are multiplied by.
  var scale: Float
  let sees: Reach
  let headNorm: HeadNorm?
  /// What the heads of queries and keys are turned by: the ``RotaryAngles`` of all rows, float32 [rows, headWidth].
  let rotation: Value?
  /// Beside a reach of ``Reach/near(_:)`` there is none.
  var bias: Bias?
  /// What is attended in the place of the layer's rows, of which it must keep all; nil where those are.
  var attendedRows: AttendedRows?

  /// - Parameters:
  ///   - keyHeads: nil for as many as there are heads.
  ///   - output: the linear layer back from heads to rows.
  init(
    heads: Int, keyHeads: Int? = nil, headWidth: Int, _ projections: Projections, output: LinearLayer,
    headNorm: HeadNorm? = nil, sees: Reach = .all, rotation: Value? = nil
  ) {
    (self.heads, self.keyHeads, self.headWidth) = (heads, keyHeads ?? heads, headWidth)
    (self.projections, self.output) = (projections, output)
    (self.headNorm, self.sees, self.rotation) = (headNorm, sees, rotation)
    scale = 1 / Float(headWidth).squareRoot()
  }

  /// With the sizes of a family's layers, whose heads are as wide together as a row.
  init(
    _ sizes: EncoderConfiguration, _ projections: Projections, output: LinearLayer, sees: Reach = .all,
    rotation: Value? = nil
  ) {
    self.init(
      heads: sizes.heads, headWidth: sizes.headWidth, projections, output: output, sees: sees,
      rotation: rotation)
  }

  /// Whether the row at an end of each sequence can ask by itself: it then has the position of the first, and sees all of
  /// its sequence.
  func takesOne(at end: SequenceEnd) -> Bool {
    guard attendedRows == nil else { return false }
    return switch (sees, bias) {
    case (.all, nil): true
    case (.before, nil): end == .last
    case (.before, _?): false
    case (.all, _?), (.near, _): end == .first
    }
  }

  /// - Parameters:
  ///   - x: float32 [rows, features].
  ///   - kept: the only rows whose result is wanted.
  /// - Returns: float32 [rows or kept rows, features].
  func callAsFunction(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, keeping kept: KeptRows? = nil,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (width, place) = (graph.width(x), weights.key("attention"))
    let x = try attendedRows?.attended(x, at: place, in: &graph) ?? x
    let projected = try projected(x, weights, keeping: kept, at: place, in: &graph)
    let bounds = kept == nil ? segments.bounds : try segments.singleQueries(in: &graph)
    var attended = try graph.apply(
      operation(projected, isWhole: kept == nil),
      [projected.queries, projected.keys, projected.values, bounds, segments.keys]
        + terms(projected, at: place, in: &graph), at: place)
    if let attendedRows { attended = try attendedRows.own(attended, at: place, in: &graph) }
    return try graph.linear(attended, weights, output, outputs: width)
  }

  /// Queries from column 0 on of one matrix, keys and values of others, which may be the same.
  private struct Projected {
    let queries, keys, values: Value
    /// The first columns of the keys and of the values.
    let keyOffset, valueOffset: Int
  }

  private func projected(
    _ x: Value, _ weights: WeightPath, keeping kept: KeptRows?, at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> Projected {
    let parts = try parts(weights, inputs: graph.width(x))
    let (width, keyWidth) = (heads * headWidth, keyHeads * headWidth)
    guard let kept, !kept.areProjectedWithAll else {
      let all = try graph.linear(x, parts, at: "\(place) projections")
      var (queries, keys, keyOffset) = (all, all, width)
      if let headNorm {
        queries = try normalized(all, headNorm.queries, heads: heads, weights, in: &graph)
        queries = try graph.turned(queries, by: rotation, heads: heads, at: "\(place) turned queries")
        keys = try normalized(all, headNorm.keys, heads: keyHeads, from: width, weights, in: &graph)
        keys = try graph.turned(keys, by: rotation, heads: keyHeads, at: "\(place) turned keys")
        keyOffset = 0
      } else {
        keys = try graph.turned(all, by: rotation, heads: heads + keyHeads, at: "\(place) turned")
        queries = keys
      }
      if let kept { queries = try graph.gather(queries, kept.rows, at: "\(place) kept rows") }
      return Projected(
        queries: queries, keys: keys, values: all, keyOffset: keyOffset, valueOffset: width + keyWidth)
    }
    var queries = try graph.linear(
      graph.gather(x, kept.rows, at: "\(place) kept rows"), [parts[0]], at: "\(place) queries")
    queries = try normalized(queries, headNorm?.queries, heads: heads, weights, in: &graph)
    let angles = try rotation.map { (angles) throws(ApusError) in
      try graph.gather(angles, kept.rows, at: "\(place) kept angles")
    }
    queries = try graph.turned(queries, by: angles, heads: heads, at: "\(place) turned queries")
    let others = try graph.linear(x, Array(parts[1...]), at: "\(place) keys and values")
    var keys = try normalized(others, headNorm?.keys, heads: keyHeads, weights, in: &graph)
    keys = try graph.turned(keys, by: rotation, heads: keyHeads, at: "\(place) turned keys")
    return Projected(queries: queries, keys: keys, values: others, keyOffset: 0, valueOffset: keyWidth)
  }

  /// The heads from a column on, each normalised with the factors of that name; the rows themselves without one.
  private func normalized(
    _ x: Value, _ name: String?, heads: Int, from column: Int = 0, _ weights: WeightPath,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let name, let headNorm else { return x }
    return try headNorm.norm.ofHeads(
      x, weights[name], heads: heads, headWidth: headWidth, offset: column, in: &graph)
  }

  /// The projections to queries, keys and values.
  private func parts(_ weights: WeightPath, inputs: Int) throws(ApusError) -> [Projection] {
    let widths = [heads, keyHeads, keyHeads].map { $0 * headWidth }
    switch projections {
    case .stacked(let layer, let prefix):
      return try Projection.stacked(
        weights[layer.name], prefix, widths: widths, inputs: inputs, hasBias: layer.hasBias)
    case .separate(let query, let key, let value):
      return try zip([query, key, value], widths).map { (layer, width) throws(ApusError) in
        try Projection(weights[layer.name], inputs: inputs, outputs: width, hasBias: layer.hasBias)
      }
    }
  }

  /// - Parameter isWhole: whether every row asks. One that does alone is the last of a causal sequence.
  private func operation(_ projected: Projected, isWhole: Bool) -> Attention {
    var (form, order) = (Attention.MaskForm.distances, [Int]())
    switch bias {
    case nil, .distances: break
    case .positions(_, let masks): (form, order) = (.positions, masks)
    case .vectors: form = .buckets
    }
    var (isCausal, window): (Bool, Int?) = (false, nil)
    switch sees {
    case .all: break
    case .before: isCausal = isWhole
    case .near(let reach): window = reach
    }
    return Attention(
      heads: heads, keyHeads: keyHeads, headWidth: headWidth, scale: scale, isCausal: isCausal,
      keyOffset: projected.keyOffset, valueOffset: projected.valueOffset, maskForm: form, maskOrder: order,
      window: window)
  }

  /// The operands of what is added.
  private func terms(
    _ projected: Projected, at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> [Value?] {
    switch bias {
    case nil: []
    case .distances(let mask), .positions(let mask, _): [mask]
    case .vectors(let operands):
      try operands.terms(
        of: self, queries: projected.queries, keys: projected.keys, keyOffset: projected.keyOffset, at: place,
        in: &graph)
    }
  }
}

extension GraphBuilder {
  /// The first `heads` heads of each row turned by its angles, and no other columns; the rows themselves without angles.
  fileprivate mutating func turned(
    _ x: Value, by angles: Value?, heads: Int, at place: String
  ) throws(ApusError) -> Value {
    guard let angles else { return x }
    return try apply(RotaryEmbedding(heads: heads, headWidth: width(angles)), [x, angles], at: place)
  }
}
