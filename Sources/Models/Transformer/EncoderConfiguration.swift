import Formats
import Graph
import TensorCore

/// The sizes that the layers of a stack have in common.
struct EncoderConfiguration: Sendable {
  /// What transformers assumes where a configuration says nothing.
  struct Defaults {
    var width = 768
    var layers = 12
    var heads = 12
    var expandedWidth = 3072
    var activation: Activation = .gelu(.exact)
    var epsilon = 1e-12
  }

  let layers: Int
  /// Features of a row.
  let width: Int
  let heads: Int
  /// Features between the two linear layers after attention.
  let expandedWidth: Int
  let activation: Activation
  let epsilon: Float

  var headWidth: Int { width / heads }
}

extension EncoderConfiguration {
  /// The configuration under the names that most of transformers' models use.
  init(_ reader: ConfigurationReader, _ defaults: Defaults = Defaults()) throws(ApusError) {
    width = try reader.size("hidden_size", default: defaults.width)
    layers = try reader.size("num_hidden_layers", default: defaults.layers)
    heads = try reader.size("num_attention_heads", default: defaults.heads)
    expandedWidth = try reader.size("intermediate_size", default: defaults.expandedWidth)
    activation = try reader.activation("hidden_act", default: defaults.activation)
    epsilon = try reader.epsilon(default: defaults.epsilon)
    try reader.requireHeads("num_attention_heads", heads, divide: width)
    // Heads of another width than the quotient.
    try reader.require("head_dim", isOneOf: .number("\(headWidth)"))
  }
}
