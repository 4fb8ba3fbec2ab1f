import Formats
import Graph
import TensorCore

/// The `config.json` of Qwen3.
struct Qwen3Configuration: Sendable {
  let encoder: EncoderConfiguration
  let heads: AttentionHeads
  let positions: RotaryPositions
  /// Whether the linear layers of attention have offsets.
  let hasAttentionBias: Bool
  let vocabulary: Int
  /// Tokens of one text, at most.
  let maximumTokens: Int
  /// Whether logits of tokens are made with the table of tokens.
  let tiesWords: Bool
  /// The id that is left out at the end of a text that is classified; nil where none is.
  let padding: Int?

  var norm: Norm { Norm(.rms(), encoder.epsilon) }

  init(_ reader: ConfigurationReader) throws(ApusError) {
    let width = try reader.size("hidden_size", default: 4096)
    heads = try AttentionHeads(reader, .init(count: 32, keys: 32, width: 128))
    encoder = EncoderConfiguration(
      layers: try reader.size("num_hidden_layers", default: 32), width: width, heads: heads.count,
      expandedWidth: try reader.size("intermediate_size", default: 22016),
      activation: try reader.activation("hidden_act", default: .swish),
      epsilon: try reader.epsilon("rms_norm_eps", default: 1e-6))
    hasAttentionBias = try reader.bool("attention_bias", default: false)
    vocabulary = try reader.size("vocab_size", default: 151936)
    maximumTokens = try reader.size("max_position_embeddings", default: 32768)
    positions = try RotaryPositions(reader, positions: maximumTokens, base: 10_000)
    tiesWords = try reader.bool("tie_word_embeddings", default: false)
    padding = try reader.optionalInteger("pad_token_id", in: 0...Int(Int32.max))
    try Self.refuseWindows(reader, layers: encoder.layers)
  }

  /// Refuses layers that see the tokens near each alone, which no published embedder of the family has.
  private static func refuseWindows(_ reader: ConfigurationReader, layers: Int) throws(ApusError) {
    let kinds = try reader.optionalList("layer_types", of: "names") { $0.string }
    let first = try reader.integer("max_window_layers", in: 0...ConfigurationReader.sizeLimit, default: 28)
    let hasWindow = try reader.bool("use_sliding_window", default: false)
    let isStated = !reader.isNull("sliding_window")
    _ = try reader.optionalInteger("sliding_window", in: 0...ConfigurationReader.sizeLimit)
    if let kinds {
      guard kinds.count == layers, kinds.allSatisfy({ ExactText($0) == "full_attention" }) else {
        throw reader.unexpected(
          "layer_types", reader.value("layer_types"), "full_attention of each of the \(layers) layers",
          kind: .unsupportedModel)
      }
    } else if hasWindow, isStated, first < layers {
      throw reader.unexpected(
        "use_sliding_window", reader.value("use_sliding_window"), "false, or max_window_layers of all layers",
        kind: .unsupportedModel)
    }
  }
}
