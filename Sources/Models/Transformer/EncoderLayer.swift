import Graph
import TensorCore

/// A layer of a transformer: attention, then what is done with each row by itself, each beside a connection that adds its
/// input to its result.
struct EncoderLayer {
  /// What is done around a part of a layer besides the addition, by the names of its weights.
  struct Residual: Sendable {
    /// What normalises the rows that the part is given; nil where it is given them as they are.
    var before: String?
    /// What normalises the part's result.
    var result: String?
    /// The factors, one for each feature, that the part's result is multiplied by (layer scale, Touvron et al. 2021).
    var factors: String?
    /// What normalises the sum.
    var sum: String?

    /// `x + f(norm(x))`: vision transformers, CLIP, SigLIP.
    static func normFirst(_ name: String?, scaledBy factors: String? = nil) -> Residual {
      Residual(before: name, factors: factors)
    }

    /// `norm(x + f(x))`: BERT and its kin.
    static func normLast(_ name: String) -> Residual { Residual(sum: name) }
  }

  let weights: WeightPath
  let norm: Norm
  var attention: SelfAttention
  let aroundAttention: Residual
  let feedForward: FeedForward
  let aroundFeedForward: Residual

  /// - Parameters:
  ///   - weights: the place below which all names are.
  ///   - norm: the kind of all its normalisations.
  init(
    _ weights: WeightPath, _ norm: Norm, _ attention: SelfAttention, _ aroundAttention: Residual,
    _ feedForward: FeedForward, _ aroundFeedForward: Residual
  ) {
    (self.weights, self.norm) = (weights, norm)
    (self.attention, self.aroundAttention) = (attention, aroundAttention)
    (self.feedForward, self.aroundFeedForward) = (feedForward, aroundFeedForward)
  }

  /// - Parameters:
  ///   - x: float32 [rows, features].
  ///   - kept: the only rows whose result is wanted; nil for all.
  func callAsFunction(
    _ x: Value, _ segments: Segments, keeping kept: KeptRows? = nil, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let given = try normalized(x, aroundAttention.before, in: &graph)
    let attended = try attention(given, segments, weights, keeping: kept, in: &graph)
    let own = try kept.map { (kept) throws(ApusError) in
      try graph.gather(x, kept.rows, at: weights.key("kept rows"))
    }
    let between = try added(attended, to: own ?? x, aroundAttention, at: "attention sum", in: &graph)
    let rows = try normalized(between, aroundFeedForward.before, in: &graph)
    let fed = try feedForward(rows, weights, in: &graph)
    return try added(fed, to: between, aroundFeedForward, at: "sum", in: &graph)
  }

  private func added(
    _ result: Value, to x: Value, _ residual: Residual, at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var result = try normalized(result, residual.result, in: &graph)
    if let factors = residual.factors {
      let scale = try graph.float32(weights, factors, [graph.width(x)])
      result = try graph.apply(Multiply(), [result, scale], at: weights.key("\(factors) scaled"))
    }
    return try normalized(graph.sum(result, x, at: weights.key(place)), residual.sum, in: &graph)
  }

  private func normalized(
    _ x: Value, _ name: String?, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let name else { return x }
    return try norm(x, weights[name], in: &graph)
  }
}
