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
  /// Whether that to keys has, where the others have.
  var hasKeyBias = true
  /// Whether the projection of what attention gives has.
  var hasAttentionOutputBias = true
  /// Whether the linear layers after attention have.
  var hasFeedForwardBias = true
  /// Whether normalisations have.
  var hasNormOffset = true
  /// Whether the features between the two linear layers are those of one matrix, activated, times those of another
  /// (SwiGLU, Shazeer 2020).
  var isGated = false
  /// Whether a row attends only itself and those before it.
  var isCausal = false

  /// Kinds of products that attention has besides those of queries and keys: their sums are scaled down by so many more.
  var distanceTerms = 0

  var headWidth: Int { width / heads }
  /// What attention multiplies the products of queries and keys by.
  var scale: Float { 1 / Float(headWidth * (1 + distanceTerms)).squareRoot() }
}
