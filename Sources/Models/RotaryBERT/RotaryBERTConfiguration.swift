import Formats
import Graph
import TensorCore

/// The `config.json` of encoders that are a BERT with rotary positions and gated layers: Nomic's and GTE's.
struct RotaryBERTConfiguration: Sendable {
  enum Family: Sendable {
    /// NomicBERT (Nussbaum et al. 2024, "Nomic Embed: Training a Reproducible Long Context Text Embedder").
    case nomic
    /// GTE of version 1.5 and the multilingual one, by the names of their own code (Zhang et al. 2024, "mGTE").
    case new
    /// The same by transformers' name, and Snowflake's.
    case gte
    /// jina-embeddings-v3 by transformers' name, without the adapters of its tasks (Sturua et al. 2024).
    case jina
  }

  let family: Family
  let encoder: EncoderConfiguration
  let positions: RotaryPositions
  let vocabulary: Int
  /// Token types; 0 of a model without.
  let tokenTypes: Int
  /// Tokens of one text, at most.
  let maximumTokens: Int
  /// Whether the linear layers have offsets: those to queries, keys and values with that back, those that expand, and that
  /// which contracts.
  let biases: (attention: Bool, expansion: Bool, contraction: Bool)

  init(_ reader: ConfigurationReader, _ family: Family) throws(ApusError) {
    self.family = family
    vocabulary = try reader.size("vocab_size", default: family.usualVocabulary)
    tokenTypes = try reader.integer(
      "type_vocab_size", in: 0...ConfigurationReader.sizeLimit, default: family == .nomic ? 2 : 1)
    if family == .nomic {
      encoder = try Self.nomic(reader)
      // Published files have both, of which transformers reads the second: positions need no table.
      let positions = try reader.size("n_positions", default: 2048)
      maximumTokens = try reader.size("max_position_embeddings", default: positions)
      let base = try reader.number("rotary_emb_base", in: RotaryPositions.bases, default: 1000)
      self.positions = try RotaryPositions(reader, positions: maximumTokens, base: base)
      guard !reader.has("rotary_emb_base") || self.positions.base == Float(base) else {
        throw reader.unexpected(
          "rotary_emb_base", reader.value("rotary_emb_base"), "the rope_theta of rope_parameters",
          kind: .unsupportedModel)
      }
      biases = (
        try reader.bool("qkv_proj_bias", default: false), try reader.bool("mlp_fc1_bias", default: false),
        try reader.bool("mlp_fc2_bias", default: false)
      )
    } else if family == .jina {
      try reader.require("position_embedding_type", isOneOf: .string("rotary"))
      encoder = try EncoderConfiguration(
        reader, .init(width: 1024, layers: 24, heads: 16, expandedWidth: 4096, epsilon: 1e-5))
      maximumTokens = try reader.size("max_position_embeddings", default: 8194)
      positions = try RotaryPositions(reader, positions: maximumTokens, base: 20_000)
      biases = (true, true, true)
    } else {
      encoder = try Self.gte(reader)
      maximumTokens = try reader.size("max_position_embeddings", default: family == .gte ? 8192 : 2048)
      positions = try RotaryPositions(
        reader, positions: maximumTokens, base: family == .gte ? 160_000 : 10_000, takesNTK: family == .new)
      biases = (true, false, true)
    }
    guard encoder.headWidth % 2 == 0 else {
      throw ApusError(
        .configuration, "heads of width \(encoder.headWidth)", expected: "an even width", file: reader.file)
    }
  }

  private static func nomic(_ reader: ConfigurationReader) throws(ApusError) -> EncoderConfiguration {
    // Layers of several experts, of which a token takes some: nomic-embed-text-v2-moe.
    for key in ["moe_every_n_layers", "num_experts"] { try reader.require(key, isOneOf: .number("0")) }
    for key in [
      "prenorm", "causal", "parallel_block", "parallel_block_tied_norm", "use_rms_norm",
      "rotary_emb_interleaved", "scale_attn_by_inverse_layer_idx",
    ] { try reader.require(key, isOneOf: .bool(false)) }
    try reader.require("rotary_emb_fraction", isOneOf: .number("1"))
    for key in ["rotary_emb_scale_base", "rotary_scaling_factor"] { try reader.require(key, isOneOf: .null) }
    try reader.require("scale_attn_weights", isOneOf: .bool(true))
    try reader.require("activation_function", isOneOf: .string("swiglu"))
    reader.passOver(nomicKeysWithoutEffect)
    let width = try reader.size("n_embd", or: "hidden_size", default: 768)
    let heads = try reader.size("n_head", or: "num_attention_heads", default: 12)
    try reader.requireHeads("n_head", heads, divide: width)
    try reader.require("head_dim", isOneOf: .number("\(width / heads)"))
    let activation = try reader.activation("hidden_act", default: .swish)
    guard activation == .swish || !reader.has("activation_function") else {
      throw reader.unexpected(
        "hidden_act", reader.value("hidden_act"), "silu, as activation_function says", kind: .unsupportedModel
      )
    }
    let epsilon = try reader.number("layer_norm_eps", in: 0...1, default: 1e-12)
    return EncoderConfiguration(
      layers: try reader.size("n_layer", or: "num_hidden_layers", default: 12), width: width, heads: heads,
      expandedWidth: try reader.size("n_inner", or: "intermediate_size", default: 3072),
      activation: activation,
      epsilon: try reader.epsilon("layer_norm_epsilon", default: epsilon))
  }

  private static func gte(_ reader: ConfigurationReader) throws(ApusError) -> EncoderConfiguration {
    try reader.require("layer_norm_type", isOneOf: .string("layer_norm"))
    try reader.require("position_embedding_type", isOneOf: .string("rope"))
    try reader.require("pack_qkv", isOneOf: .bool(true))
    for key in ["logn_attention_clip1", "logn_attention_scale"] {
      try reader.require(key, isOneOf: .bool(false))
    }
    reader.passOver([
      KeysWithoutEffect(
        "how the library computes", ["unpad_inputs", "use_memory_efficient_attention"])
    ])
    return try EncoderConfiguration(reader)
  }

  private static let nomicKeysWithoutEffect = [
    KeysWithoutEffect(
      "training and initialisation", ["attn_pdrop", "embd_pdrop", "resid_pdrop", "max_trained_positions"]),
    KeysWithoutEffect(
      "how the library computes",
      [
        "fused_bias_fc", "fused_dropout_add_ln", "use_flash_attn", "use_xentropy", "reorder_and_upcast_attn",
        "dense_seq_output", "pad_vocab_size_multiple",
      ]),
    KeysWithoutEffect(
      "what a model for multiple choice makes of a text",
      [
        "summary_activation", "summary_first_dropout", "summary_proj_to_labels", "summary_type",
        "summary_use_proj",
      ]),
    KeysWithoutEffect(
      "experts, of which there are none",
      [
        "expert_choice_router", "ffn_div", "moe_impl", "moe_normalize_expert_weights", "moe_resid_pdrop",
        "moe_top_k", "num_shared_experts",
      ]),
  ]
}

extension RotaryBERTConfiguration.Family {
  fileprivate var usualVocabulary: Int {
    switch self {
    case .nomic, .new: 30528
    case .gte: 250_048
    case .jina: 250_002
    }
  }

  /// Where the layers are in the encoder.
  var layers: String {
    switch self {
    case .nomic: "encoder.layers"
    case .new, .gte: "encoder.layer"
    case .jina: "layers"
    }
  }
}
