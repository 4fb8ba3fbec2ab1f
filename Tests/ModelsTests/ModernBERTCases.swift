/// Changes of ModernBERT's `config.json` for ``ConfigurationTests``.
enum ModernBERTCases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = layers + positions + sizes

  private static let layers: [Case] = [
    Case("modernbert", "layer_types", #"["full_attention"]"#, .configuration, "layer_types"),
    Case(
      "modernbert", "layer_types",
      #"["full_attention", "sliding_attention", "sliding_attention", "chunked_attention"]"#,
      .unsupportedModel,
      "chunked_attention"),
    Case("modernbert", "layer_types", #""full_attention""#, .configuration, "layer_types"),
    Case("modernbert", "global_attn_every_n_layers", "2", .unsupportedModel, "global_attn_every_n_layers"),
    Case("modernbert", "global_attn_every_n_layers", "0", .configuration, "global_attn_every_n_layers"),
    Case("modernbert", "sliding_window", "5", .unsupportedModel, "sliding_window"),
    Case("modernbert", "local_attention", "0", .configuration, "local_attention"),
    Case("modernbert", "local_attention", "[4, 4]", .configuration, "local_attention"),
    Case("modernbert", "num_hidden_layers", "5", .configuration, "layer_types"),
    Case("modernbert-classifier", "num_hidden_layers", "5", .malformedModel, "layers.4.attn_norm.weight"),
  ]

  private static let positions: [Case] = [
    Case(
      "modernbert", "rope_parameters.full_attention.rope_type", #""yarn""#, .unsupportedModel, "rope_type"),
    Case("modernbert", "rope_parameters.sliding_attention.type", #""linear""#, .unsupportedModel, "linear"),
    Case("modernbert", "rope_parameters.full_attention.factor", "2.0", .unsupportedModel, "'factor'"),
    Case("modernbert", "rope_parameters.full_attention.rope_theta", "0", .configuration, "rope_theta"),
    Case("modernbert", "rope_parameters.rope_theta", "10000.0", .unsupportedModel, "'rope_theta'"),
    Case("modernbert", "rope_parameters", "10000.0", .configuration, "rope_parameters"),
    Case("modernbert", "global_rope_theta", "10000.0", .unsupportedModel, "global_rope_theta"),
    Case("modernbert-classifier", "local_rope_theta", "null", .configuration, "local_rope_theta"),
    Case("modernbert-classifier", "local_rope_theta", "0.0", .configuration, "local_rope_theta"),
    Case(
      "modernbert", "rope_scaling", #"{"rope_type": "linear", "factor": 2.0}"#, .unsupportedModel,
      "rope_scaling"),
    Case("modernbert", "rope_theta", "10000.0", .unsupportedModel, "'rope_theta'"),
    Case("modernbert", "partial_rotary_factor", "0.5", .unsupportedModel, "partial_rotary_factor"),
    Case("modernbert", "head_dim", "16", .unsupportedModel, "head_dim"),
    Case("modernbert", "num_attention_heads", "8", .configuration, "heads of an even width"),
    Case("modernbert", "num_attention_heads", "5", .configuration, "num_attention_heads"),
  ]

  private static let sizes: [Case] = [
    Case("modernbert", "norm_bias", "true", .malformedModel, "norm.bias"),
    Case("modernbert", "attention_bias", "true", .malformedModel, "attn.Wqkv.bias"),
    Case("modernbert", "mlp_bias", "true", .malformedModel, "mlp.Wi.bias"),
    Case("modernbert", "mlp_bias", "1", .configuration, "mlp_bias"),
    Case("modernbert", "hidden_activation", #""mish""#, .unsupportedModel, "hidden_activation"),
    Case("modernbert", "hidden_act", #""gelu""#, .unsupportedModel, "hidden_act"),
    Case("modernbert", "intermediate_size", "10", .malformedModel, "mlp.Wi.weight"),
    Case("modernbert", "hidden_size", "28", .malformedModel, "hidden_size 28"),
    Case("modernbert", "vocab_size", nil, .malformedModel, "embeddings.tok_embeddings.weight"),
    Case("modernbert", "is_decoder", "true", .unsupportedModel, "is_decoder"),
    Case(
      "modernbert", "architectures", #"["ModernBertForTokenClassification"]"#, .unsupportedModel, "Token"),
    Case("modernbert", "model_type", #""modernbert-decoder""#, .unsupportedModel, "model_type"),
    Case("modernbert-classifier", "classifier_pooling", #""max""#, .unsupportedModel, "classifier_pooling"),
    Case(
      "modernbert-classifier", "classifier_activation", #""mish""#, .unsupportedModel, "classifier_activation"
    ),
    Case("modernbert-reranker", "classifier_bias", "true", .malformedModel, "head.dense.bias"),
    Case("modernbert-reranker", "id2label", #"{"0": "a", "1": "b"}"#, .malformedModel, "classifier.weight"),
  ]

  static let accepted: [Case] = harmless.map { Case($0.0, $0.1, $0.2, .configuration, "") }

  private static let harmless: [(String, String, String)] = [
    ("modernbert", "global_attn_every_n_layers", "3"), ("modernbert", "sliding_window", "4"),
    ("modernbert", "global_rope_theta", "160000"), ("modernbert", "rope_scaling", "null"),
    ("modernbert", "rope_parameters.full_attention", "null"), ("modernbert", "rope_parameters", "null"),
    ("modernbert", "rope_parameters.full_attention.type", #""default""#),
    ("modernbert", "layer_types", "null"),
    ("modernbert", "head_dim", "12"), ("modernbert", "deterministic_flash_attn", "true"),
    ("modernbert", "reference_compile", "null"), ("modernbert", "classifier_pooling", #""max""#),
    ("modernbert", "position_embedding_type", #""relative_key""#), ("modernbert", "mlp_dropout", "0.5"),
    ("modernbert", "sparse_prediction", "true"), ("modernbert", "max_position_embeddings", "8192"),
    ("modernbert-classifier", "cls_token_id", "3"), ("modernbert-classifier", "layer_norm_eps", "0.1"),
    ("modernbert-classifier", "classifier_bias", "false"),
  ]
}
