/// Changes of Qwen3's `config.json` for ``ConfigurationTests``.
enum Qwen3Cases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = [
    Case("qwen3", "num_key_value_heads", "4", .configuration, "num_key_value_heads"),
    Case("qwen3", "num_key_value_heads", "3", .malformedModel, "self_attn.k_proj.weight"),
    Case("qwen3", "num_key_value_heads", "null", .malformedModel, "self_attn.k_proj.weight"),
    Case("qwen3", "head_dim", "null", .configuration, "head_dim"),
    Case("qwen3", "head_dim", "7", .configuration, "an even number"),
    Case("qwen3", "head_dim", "16", .malformedModel, "self_attn.q_proj.weight"),
    Case("qwen3", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case(
      "qwen3", "layer_types", #"["full_attention", "sliding_attention"]"#, .unsupportedModel, "layer_types"),
    Case("qwen3", "layer_types", #"["full_attention"]"#, .unsupportedModel, "layer_types"),
    Case("qwen3-embedding", "vocab_size", "400", .malformedModel, "embed_tokens.weight"),
    Case("qwen3-embedding", "rope_theta", "null", .configuration, "rope_theta"),
    Case(
      "qwen3-embedding", "rope_scaling", #"{"rope_type": "longrope", "factor": 2.0}"#, .unsupportedModel,
      "rope_type"),
    Case(
      "qwen3-embedding", "rope_scaling", #"{"type": "linear"}"#, .configuration, "factor"),
    Case("qwen3", "rope_parameters.mscale", "0.7", .unsupportedModel, "mscale"),
    Case("qwen3", "rope_parameters.truncate", "false", .unsupportedModel, "truncate"),
    Case("qwen3", "rope_parameters.low_freq_factor", "1", .unsupportedModel, "low_freq_factor"),
    Case("qwen3", "rope_parameters.partial_rotary_factor", "0.5", .unsupportedModel, "partial_rotary_factor"),
    Case("qwen3", "rope_scaling", #"{"type": "linear", "factor": 2.0}"#, .unsupportedModel, "rope_scaling"),
    Case("qwen3", "rope_theta", "123.0", .unsupportedModel, "rope_theta"),
    Case("qwen3-classifier", "rope_parameters.high_freq_factor", "0.5", .configuration, "high_freq_factor"),
    Case("qwen3-classifier", "id2label", #"{"0": "a"}"#, .malformedModel, "score.weight"),
    Case("qwen3-embedding", "model_type", #""qwen3_moe""#, .unsupportedModel, "model_type"),
  ]

  static let accepted: [Case] = [
    ("qwen3-embedding", "max_window_layers", "0"), ("qwen3-embedding", "sliding_window", "8"),
    ("qwen3-embedding", "layer_types", #"["full_attention", "full_attention"]"#),
    ("qwen3-embedding", "rope_scaling", #"{"type": "default"}"#), ("qwen3", "rope_theta", "5000"),
    ("qwen3-embedding", "use_cache", "false"),
  ].map { Case($0.0, $0.1, $0.2, .configuration, "") }
}
