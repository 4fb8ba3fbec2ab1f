import Formats
import TensorCore

extension ConfigurationReader {
  /// Passes over what any `config.json` of transformers may say without changing a result.
  /// - Parameter heads: whether the model has no classes, so that what is said of them is without effect.
  func passOverCommonKeys(withoutClasses heads: Bool = false) throws(ApusError) {
    passOver(TransformersKeys.common)
    if heads { passOver([TransformersKeys.classes]) }
    for key in ["is_encoder_decoder", "is_decoder", "add_cross_attention"] {
      try require(key, isOneOf: .bool(false))
    }
    // Layers without some of their heads.
    try require("pruned_heads", isOneOf: .object([]))
    try require("per_layer_config", isOneOf: .object([]))
    try refuseAdapters()
    _ = try compressedForms()
  }

  /// Refuses networks that the library adapter-transformers puts between layers. It wrote their lists into every
  /// configuration, empty of a model that has none.
  private func refuseAdapters() throws(ApusError) {
    guard let adapters = try optionalObject("adapters") else { return }
    for key in ["adapters", "fusions"] { try adapters.require(key, isOneOf: .object([]), .array([])) }
    adapters.passOver([
      KeysWithoutEffect("settings of adapters, of which there are none", ["config_map", "fusion_config_map"])
    ])
  }
}

/// Keys that transformers' own configuration classes have, and had in older versions, and that change no result.
enum TransformersKeys {
  static let common = [
    KeysWithoutEffect(
      "names of the file, of its origin and of the program that wrote it",
      [
        "_name_or_path", "name_or_path", "transformers_version", "_commit_hash", "auto_map",
        "finetuning_task",
        "task_specific_params", "tokenizer_class", "custom_pipelines", "_auto_class", "language", "license",
        "_num_labels", "gradient_checkpointing", "model_name", "export_model_type",
      ]),
    KeysWithoutEffect(
      "how the file was fetched",
      [
        "_configuration_file", "_from_auto", "_from_pipeline", "cache_dir", "force_download",
        "local_files_only", "proxies", "resume_download", "return_unused_kwargs", "revision",
        "trust_remote_code", "use_auth_token",
      ]),
    KeysWithoutEffect("settings of another program, Transformers.js", ["transformers.js_config"]),
    KeysWithoutEffect(
      "how many numbers of an embedding may be kept, which the caller chooses",
      ["matryoshka_dimensions", "is_matryoshka"]),
    KeysWithoutEffect(
      "the type in which a library holds the weights: here the command says it",
      ["dtype", "torch_dtype", "use_bfloat16", "_pre_quantization_dtype"]),
    KeysWithoutEffect(
      "training and initialisation",
      [
        "initializer_range", "initializer_factor", "hidden_dropout_prob", "attention_probs_dropout_prob",
        "attention_dropout", "hidden_dropout", "dropout", "classifier_dropout", "classifier_dropout_prob",
      ]),
    KeysWithoutEffect(
      "how the library computes and what it returns besides",
      [
        "output_attentions", "output_hidden_states", "output_past", "return_dict", "use_return_dict",
        "use_cache",
        "torchscript", "chunk_size_feed_forward", "attn_implementation", "_attn_implementation",
        "_attn_implementation_autoset", "experts_implementation", "_attn_implementation_internal",
        "_experts_implementation_internal", "tf_legacy_loss", "tie_last_hidden_states", "tie_word_embeddings",
        "tie_encoder_decoder", "cross_attention_hidden_size", "tie_weights_", "xla_device",
        "_flash_attn_2_enabled", "_output_attentions",
      ]),
    KeysWithoutEffect("writing text, which encoders do not", generation),
  ]

  /// What transformers takes for settings of generation and drops from a model's configuration.
  private static let generation: Set<ExactText> = [
    "bad_words_ids", "begin_suppress_tokens", "bos_token_id", "decoder_start_token_id", "diversity_penalty",
    "do_sample", "early_stopping", "encoder_no_repeat_ngram_size", "eos_token_id", "eos_token_ids",
    "exponential_decay_length_penalty", "forced_bos_token_id", "forced_eos_token_id", "length_penalty",
    "max_length", "min_length", "no_repeat_ngram_size", "num_beam_groups", "num_beams",
    "num_return_sequences",
    "output_scores", "pad_token_id", "prefix", "remove_invalid_values", "repetition_penalty",
    "return_dict_in_generate", "sep_token_id", "suppress_tokens", "temperature", "top_k", "top_p",
    "typical_p",
  ]

  static let classes = KeysWithoutEffect(
    "classes, which the model has none of", ["id2label", "label2id", "num_labels", "problem_type"])

  /// CLIP's and SigLIP's: weights hold the learned number.
  static let logits = KeysWithoutEffect("training and initialisation", ["logit_scale_init_value"])
  static let ownProjection = KeysWithoutEffect(
    "the projection of a tower by itself: the model's own is at the root", ["projection_dim"])
  static let noProjection = KeysWithoutEffect(
    "a projection, which the architecture has none of", ["projection_dim"])

  /// Keys of what other networks ask of one for pictures: features of some of its stages.
  static let backbone: Set<ExactText> = [
    "out_features", "out_indices", "stage_names", "_out_features", "_out_indices",
  ]

  static let quantization = KeysWithoutEffect(
    "how the weights were made, and layers left out, as the tensors themselves say",
    ["global_compression_ratio", "ignore", "version"])
}
