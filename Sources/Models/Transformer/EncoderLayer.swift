import Graph
import TensorCore

/// One layer of an ``Encoder``: where its weights are, and what its attention does beside the products of queries and
/// keys.
struct EncoderLayer {
  let weights: WeightPath
  /// What is added to the scaled products by the distance of query and key, float32 [masks, heads or 1, 1, 2 · L − 1] for
  /// sequences of at most L rows; or by their positions, float32 [masks, heads or 1, L, L]. Without a ``biasOrder`` there
  /// is one mask for all sequences, or one for each.
  var bias: Value?
  var biasForm = Attention.MaskForm.distances
  /// Which mask of the ``bias`` each sequence has, over and over; empty where all have one, or each its own.
  var biasOrder: [Int] = []
  /// What attention is given in the place of the layer's rows, of which it must keep all; nil where it is given those.
  var attendedRows: AttendedRows?
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
