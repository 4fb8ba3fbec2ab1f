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

  let heads: Int
  /// Columns of one head.
  let headWidth: Int
  let projections: Projections
  let output: LinearLayer
  /// What the products of queries and keys are multiplied by.
  var scale: Float
  let sees: Reach
  /// What the heads of queries and keys are turned by: the ``RotaryAngles`` of all rows, float32 [rows, headWidth].
  let rotation: Value?
  /// Beside a reach of ``Reach/near(_:)`` there is none.
  var bias: Bias?
  /// What is attended in the place of the layer's rows, of which it must keep all; nil where those are.
  var attendedRows: AttendedRows?

  /// - Parameters:
  ///   - sizes: of the family's layers, whose heads are as wide together as a row.
  ///   - output: the linear layer back from heads to rows.
  init(
    _ sizes: EncoderConfiguration, _ projections: Projections, output: LinearLayer, sees: Reach = .all,
    rotation: Value? = nil
  ) {
    (heads, headWidth) = (sizes.heads, sizes.headWidth)
    (self.projections, self.output) = (projections, output)
    (self.sees, self.rotation) = (sees, rotation)
    scale = 1 / Float(headWidth).squareRoot()
  }

  /// Whether the row at an end of each sequence can ask by itself: it then has the position of the first, and sees all of
  /// its sequence.
  func takesOne(at end: SequenceEnd) -> Bool {
    switch (sees, bias) {
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

  /// Queries from column 0 on; keys and values, each behind the other, in a matrix that may be that of the queries too, or
  /// with the keys turned in one of their own.
  private struct Projected {
    let queries, keys, values: Value
    /// The first column of the keys.
    let keyOffset: Int
  }

  private func projected(
    _ x: Value, _ weights: WeightPath, keeping kept: KeptRows?, at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> Projected {
    let parts = try parts(weights, inputs: graph.width(x))
    guard let kept, !kept.areProjectedWithAll else {
      let all = try graph.linear(x, parts, at: "\(place) projections")
      let keys = try graph.turned(all, by: rotation, heads: 2 * heads, at: "\(place) turned")
      let queries = try kept.map { (kept) throws(ApusError) in
        try graph.gather(keys, kept.rows, at: "\(place) kept rows")
      }
      return Projected(queries: queries ?? keys, keys: keys, values: all, keyOffset: heads * headWidth)
    }
    let own = try graph.linear(
      graph.gather(x, kept.rows, at: "\(place) kept rows"), [parts[0]], at: "\(place) queries")
    let angles = try rotation.map { (angles) throws(ApusError) in
      try graph.gather(angles, kept.rows, at: "\(place) kept angles")
    }
    let queries = try graph.turned(own, by: angles, heads: heads, at: "\(place) turned queries")
    let others = try graph.linear(x, Array(parts[1...]), at: "\(place) keys and values")
    let keys = try graph.turned(others, by: rotation, heads: heads, at: "\(place) turned keys")
    return Projected(queries: queries, keys: keys, values: others, keyOffset: 0)
  }

  /// The projections to queries, keys and values.
  private func parts(_ weights: WeightPath, inputs: Int) throws(ApusError) -> [Projection] {
    let width = heads * headWidth
    switch projections {
    case .stacked(let layer, let prefix):
      return try Projection.stacked(
        weights[layer.name], prefix, count: 3, inputs: inputs, width: width, hasBias: layer.hasBias)
    case .separate(let query, let key, let value):
      return try [query, key, value].map { (layer) throws(ApusError) in
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
      heads: heads, headWidth: headWidth, scale: scale, isCausal: isCausal, keyOffset: projected.keyOffset,
      valueOffset: projected.keyOffset + heads * headWidth, maskForm: form, maskOrder: order, window: window)
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
