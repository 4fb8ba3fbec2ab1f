import Graph
import TensorCore

/// The sizes of a stack of transformer layers, and where it normalises.
struct EncoderConfiguration: Sendable {
  enum Order: Sendable {
    /// `x + f(norm(x))`: vision transformers, CLIP, SigLIP.
    case normFirst
    /// `norm(x + f(x))`: BERT and its kin.
    case normLast
  }

  let layers: Int
  /// Features of a row.
  let width: Int
  let heads: Int
  /// Features between the two linear layers after attention.
  let expandedWidth: Int
  let activation: LinearActivation
  let epsilon: Float
  let order: Order
  /// Whether the projections to queries, keys and values have offsets.
  var hasProjectionBias = true
  /// Whether the features between the two linear layers are those of one matrix, activated, times those of another
  /// (SwiGLU, Shazeer 2020).
  var isGated = false
  /// Whether a row attends only itself and those before it.
  var isCausal = false

  var headWidth: Int { width / heads }
  /// What attention multiplies the products of queries and keys by.
  var scale: Float { 1 / Float(headWidth).squareRoot() }
}
