import Graph
import TensorCore

/// One layer of an ``Encoder``: where its weights are, and what its attention does beside the products of queries and
/// keys.
struct EncoderLayer {
  let weights: WeightPath
  /// What is added to the scaled products by the distance of query and key, float32 [1, heads or 1, 1, 2 · L − 1] for
  /// sequences of at most L rows; or by their positions, float32 [1, heads or 1, L, L].
  var bias: Value?
  var biasForm = Attention.MaskForm.distances
  /// What is added to the scaled products by the distance of query and key for every row, instead of a bias or a window.
  var distances: DistanceOperands?
  /// How far from its query a key is seen, at most; nil where all are.
  var window: Int?
  /// What the heads of queries and keys are turned by: the ``RotaryAngles`` of all rows, float32 [rows, headWidth].
  var angles: Value?
  /// Whether what is attended is normalised first, in an encoder that does so.
  var normalizesInput = true

  init(_ weights: WeightPath) { self.weights = weights }
}

extension GraphBuilder {
  /// The first `heads` heads of each row turned by its angles, and no other columns; the rows themselves without angles.
  mutating func turned(
    _ x: Value, by angles: Value?, heads: Int, at place: String
  ) throws(ApusError) -> Value {
    guard let angles else { return x }
    return try apply(RotaryEmbedding(heads: heads, headWidth: width(angles)), [x, angles], at: place)
  }
}
