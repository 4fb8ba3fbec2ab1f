/// Changes of DeBERTa's `config.json` for ``ConfigurationTests``.
enum DeBERTaCases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = distances + layers + classes

  private static let distances: [Case] = [
    Case("deberta", "position_buckets", "16", .malformedModel, "rel_embeddings.weight"),
    Case("deberta", "position_buckets", nil, .malformedModel, "rel_embeddings.weight"),
    Case("deberta", "position_buckets", "1", .unsupportedModel, "position_buckets"),
    Case("deberta", "position_buckets", "46", .unsupportedModel, "position_buckets"),
    Case("deberta", "position_buckets", "64", .malformedModel, "rel_embeddings.weight"),
    Case("deberta", "position_buckets", #""8""#, .configuration, "position_buckets"),
    Case("deberta", "max_relative_positions", "5", .unsupportedModel, "position_buckets"),
    Case("deberta", "max_relative_positions", "1e300", .configuration, "max_relative_positions"),
    Case("deberta", "pos_att_type", #"["p2p"]"#, .unsupportedModel, "pos_att_type"),
    Case("deberta", "pos_att_type", #""c2p|p2p""#, .unsupportedModel, "pos_att_type"),
    Case("deberta", "pos_att_type", "3", .configuration, "pos_att_type"),
    Case("deberta", "share_att_key", "false", .malformedModel, "attention.self.pos_key_proj.weight"),
    Case("deberta", "norm_rel_ebd", #""batch_norm""#, .unsupportedModel, "norm_rel_ebd"),
    Case("deberta", "relative_attention", "1", .configuration, "relative_attention"),
    Case("deberta-c2p", "max_relative_positions", "7", .malformedModel, "rel_embeddings.weight"),
    Case("deberta-c2p", "max_relative_positions", nil, .malformedModel, "rel_embeddings.weight"),
    Case("deberta-c2p", "pos_att_type", #""p2c""#, .malformedModel, "pos_query_proj.weight"),
    Case("deberta-c2p", "norm_rel_ebd", #""layer_norm""#, .malformedModel, "encoder.LayerNorm.weight"),
    Case("deberta-absolute", "relative_attention", "true", .malformedModel, "rel_embeddings.weight"),
  ]

  private static let layers: [Case] = [
    Case("deberta", "something_new", "1", .unsupportedModel, "something_new"),
    Case("deberta", "model_type", #""deberta""#, .unsupportedModel, "model_type"),
    Case(
      "deberta", "architectures", #"["DebertaV2ForTokenClassification"]"#, .unsupportedModel, "TokenClass"),
    Case("deberta", "num_attention_heads", "5", .configuration, "num_attention_heads"),
    Case("deberta", "attention_head_size", "8", .unsupportedModel, "attention_head_size"),
    Case("deberta", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case("deberta", "embedding_size", "16", .malformedModel, "embedding_size 16"),
    Case("deberta", "position_biased_input", "true", .malformedModel, "position_embeddings.weight"),
    Case("deberta", "type_vocab_size", "2", .malformedModel, "token_type_embeddings.weight"),
    Case("deberta", "type_vocab_size", "-1", .configuration, "type_vocab_size"),
    Case("deberta", "conv_kernel_size", "3", .malformedModel, "encoder.conv.conv.weight"),
    Case("deberta", "conv_kernel_size", "2", .configuration, "conv_kernel_size"),
    Case("deberta-convolution", "conv_kernel_size", "5", .malformedModel, "encoder.conv.conv.weight"),
    Case("deberta-convolution", "conv_act", #""mish""#, .unsupportedModel, "conv_act"),
    Case("deberta-convolution", "conv_groups", "2", .unsupportedModel, "conv_groups"),
    Case("deberta-convolution", "embedding_size", nil, .malformedModel, "word_embeddings.weight"),
    Case("deberta-convolution", "max_position_embeddings", "40", .malformedModel, "position_embeddings"),
  ]

  private static let classes: [Case] = [
    Case("deberta-classifier", "pooler_hidden_size", "16", .unsupportedModel, "pooler_hidden_size"),
    Case("deberta-classifier", "pooler_hidden_act", #""mish""#, .unsupportedModel, "pooler_hidden_act"),
    Case("deberta-classifier", "id2label", #"{"0": "a", "1": "b"}"#, .malformedModel, "classifier.weight"),
  ]

  static let accepted: [Case] = [
    Case("deberta", "architectures", #"["DebertaV2ForMaskedLM"]"#, .configuration, ""),
    Case("deberta", "relative_attention", "false", .configuration, ""),
    Case("deberta", "relative_attention", nil, .configuration, ""),
    Case("deberta", "pos_att_type", #""p2c | C2P""#, .configuration, ""),
    Case("deberta", "pos_att_type", "[]", .configuration, ""),
    Case("deberta", "pos_att_type", "null", .configuration, ""),
    Case("deberta", "norm_rel_ebd", #""none""#, .configuration, ""),
    Case("deberta", "max_relative_positions", "-1", .configuration, ""),
    Case("deberta", "max_relative_positions", "3", .configuration, ""),
    Case("deberta", "max_position_embeddings", "8", .configuration, ""),
    Case("deberta", "attention_head_size", "12", .configuration, ""),
    Case("deberta", "embedding_size", "24", .configuration, ""),
    Case("deberta", "conv_kernel_size", "0", .configuration, ""),
    Case("deberta", "legacy", "false", .configuration, ""),
    Case("deberta", "pooler_hidden_size", "7", .configuration, ""),
    Case("deberta", "pooler_hidden_act", #""mish""#, .configuration, ""),
    Case("deberta-convolution", "conv_groups", "1", .configuration, ""),
    Case("deberta-classifier", "pooler_dropout", "0.5", .configuration, ""),
    Case("deberta-classifier", "cls_dropout", "0.5", .configuration, ""),
    Case("deberta-classifier", "pooler_hidden_size", nil, .configuration, ""),
  ]
}
