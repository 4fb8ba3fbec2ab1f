import Graph
import TensorCore

/// What a layer's attention multiplies with its queries and keys, to add the products by the buckets of distances.
struct DistanceOperands {
  /// A learned vector for each bucket, of a float type [R, D].
  let vectors: Value
  /// What normalises the vectors first, each [D]; nil where nothing does.
  let norm: (scale: Value, offset: Value, epsilon: Float)?
  /// What projects them for the queries; nil where these are multiplied with none.
  let forQueries: Projection?
  /// The same for keys.
  let forKeys: Projection?
  /// int32 [2 · L − 1]: the bucket of a key that stands 1 − L to L − 1 positions behind its query.
  let buckets: Value

  /// The operands of an ``Attention`` with the mask form ``Attention/MaskForm/buckets``.
  /// - Parameter keyOffset: the first column of the keys' head 0; that of the queries is 0.
  func terms(
    of attention: SelfAttention, queries: Value, keys: Value, keyOffset: Int, at place: String,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> [Value?] {
    let ofQueries = try products(
      attention, queries, forQueries, offset: 0, at: "\(place) content to position", in: &graph)
    let ofKeys = try products(
      attention, keys, forKeys, offset: keyOffset, at: "\(place) position to content", in: &graph)
    return [ofQueries, ofKeys, buckets]
  }

  private func products(
    _ attention: SelfAttention, _ rows: Value, _ projection: Projection?, offset: Int, at place: String,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value? {
    guard let projection else { return nil }
    let matrix = graph.constant(projection.weight, as: "\(projection.name).weight")
    let bias = projection.bias.map { graph.constant($0, as: "\(projection.name).bias") }
    let operation = HeadProducts(
      heads: attention.heads, scale: attention.scale, epsilon: norm?.epsilon, offset: offset)
    return try graph.apply(
      operation, [rows, vectors, matrix, bias, norm?.scale, norm?.offset], at: place)
  }
}
