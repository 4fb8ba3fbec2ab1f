import Graph
import TensorCore

/// What a layer's attention multiplies with its queries and keys, to add the products by the buckets of distances.
struct DistanceOperands {
  /// A vector of each head for each bucket, float32 [heads, R, headWidth], times what attention scales its products by;
  /// nil where queries are multiplied with none.
  let forQueries: Value?
  /// The same for keys.
  let forKeys: Value?
  /// int32 [2 · L − 1]: the bucket of a key that stands 1 − L to L − 1 positions behind its query.
  let buckets: Value

  /// The operands of an ``Attention`` with the mask form ``Attention/MaskForm/buckets``.
  /// - Parameter keyOffset: the first column of the keys' head 0; that of the queries is 0.
  func terms(
    queries: Value, keys: Value, keyOffset: Int, at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> [Value?] {
    let ofQueries = try forQueries.map { (vectors) throws(ApusError) in
      try graph.apply(HeadProducts(), [queries, vectors], at: "\(place) content to position")
    }
    let ofKeys = try forKeys.map { (vectors) throws(ApusError) in
      try graph.apply(HeadProducts(offset: keyOffset), [keys, vectors], at: "\(place) position to content")
    }
    return [ofQueries, ofKeys, buckets]
  }
}
