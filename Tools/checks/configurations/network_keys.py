"""Keys of the config.json of transformers' models, each with the values that it is given."""


def nested(prefix, keys):
    return {f"{prefix}.{key}": values for key, values in keys.items()}


COMMON = {
    "dtype": ["float32", "float16", None, 3], "torch_dtype": ["float32", None],
    "output_attentions": [True], "output_hidden_states": [True], "return_dict": [True], "use_cache": [False],
    "chunk_size_feed_forward": [0, 2], "is_encoder_decoder": [True, False], "architectures": [None, ["Other"]],
    "model_type": [None, "bert", "roberta", "vit", "nonsense"], "_name_or_path": ["x"],
    "transformers_version": ["3.0.0", None], "id2label": [None, {"0": "a"}], "label2id": [{"z": 0}, None],
    "num_labels": [1, 2, 3, 7, None],
    "problem_type": ["regression", "single_label_classification", "multi_label_classification", "x", None],
    "tie_word_embeddings": [False], "tokenizer_class": ["BertTokenizer", "PreTrainedTokenizerFast", None],
    "pruned_heads": [{}, {"0": [0]}], "finetuning_task": ["x"], "task_specific_params": [{"a": 1}],
    "initializer_range": [0.5], "gradient_checkpointing": [True], "attn_implementation": ["eager", "sdpa"],
    "per_layer_config": [{"0": {"hidden_act": "relu"}}, {}], "tie_last_hidden_states": [True, None],
    "max_length": [3], "min_length": [2], "temperature": [0.5], "bad_words_ids": [[[1]]], "prefix": ["x "],
    "decoder_start_token_id": [1], "cross_attention_hidden_size": [8], "add_cross_attention": [True, False],
    "is_decoder": [True, False], "use_bfloat16": [True], "torchscript": [True],
    "quantization_config": [None, {"quant_method": "gptq"}], "something_new": [1, None, {"a": 1}],
    "rope_scaling": [{"type": "linear", "factor": 2.0}], "bos_token_id": [3, None], "eos_token_id": [4, None],
    "pad_token_id": [0, 1, 2, 7, None, "x"], "sep_token_id": [5], "xla_device": [True], "eos_token_ids": [0],
    "_flash_attn_2_enabled": [True], "export_model_type": ["transformer"], "trust_remote_code": [True], "revision": ["main"],
    "_pre_quantization_dtype": ["float16"], "something_empty": [False, {}, [], ""],
    "adapters": [{"adapters": {}, "config_map": {}, "fusion_config_map": {}, "fusions": {}}, {"adapters": {"mine": "x"}}],
}

ACTIVATIONS = [
    "gelu", "relu", "gelu_new", "gelu_pytorch_tanh", "quick_gelu", "gelu_fast", "gelu_python", "gelu_accurate",
    "gelu_python_tanh", "tanh", "silu", "swish", "mish", "relu6", "gelu_10", "linear", "nonsense", None, 3,
]

ENCODER = {
    "hidden_size": [None, 8, "24", 24.0], "num_hidden_layers": [1, 3, None, "2", 2.0, True],
    "num_attention_heads": [1, 4, 5, None], "intermediate_size": [8, None], "hidden_act": ACTIVATIONS,
    "layer_norm_eps": [1e-2, 0.0, None, "x"], "attention_probs_dropout_prob": [0.5], "hidden_dropout_prob": [0.5],
    "attention_dropout": [0.5], "head_dim": [4],
}

BERT = {
    **COMMON, **ENCODER,
    "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None], "type_vocab_size": [1, 3, None],
    "position_embedding_type": ["absolute", "relative_key", "relative_key_query", None],
    "classifier_dropout": [0.5], "embedding_size": [8], "directionality": ["bidi"], "pooler_fc_size": [8],
    "pooler_type": ["first_token_transform"], "cell": [{}], "emb_size": [8], "pre_trained": [""], "structure": [[]],
    "training": [""], "vocab_size_or_config_json_file": [8],
}

MPNET = {
    **COMMON, **ENCODER,
    "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None],
    "relative_attention_num_buckets": [16, 31, 32, 33, 64, None, "x"], "relative_attention_max_distance": [64],
    "position_embedding_type": ["absolute", None], "type_vocab_size": [1], "classifier_dropout": [0.5],
    "embedding_size": [8],
}

ELECTRA = {
    **BERT, "embedding_size": [8, 24, 32, None, "x"], "summary_type": ["last", "mean", None], "summary_use_proj": [False],
    "summary_activation": ["tanh", None], "summary_last_dropout": [0.5],
}

ALBERT = {
    **BERT, "embedding_size": [8, 24, None, "x"], "num_hidden_layers": [1, 2, 4, 6, None, "2", 2.0, True],
    "num_hidden_groups": [0, 1, 2, 3, 5, None, "x"], "inner_group_num": [0, 1, 2, 3, None], "down_scale_factor": [2],
    "gap_size": [1], "layers_to_keep": [[0]], "net_structure_type": [1], "num_memory_blocks": [1],
    "classifier_dropout_prob": [0.5],
}

MODERNBERT = {
    **{key: values for key, values in {**COMMON, **ENCODER}.items() if key != "hidden_act"},
    "hidden_activation": ACTIVATIONS, "hidden_act": ["gelu", "relu"], "vocab_size": [8, 4000, None],
    "num_hidden_layers": [1, 3, 4, 5, None, "2", 4.0, True], "head_dim": [4, 12, 16, None],
    "max_position_embeddings": [8, 400, None], "norm_eps": [1e-2, 0.0, None, "x"], "norm_bias": [True, False, None, 1],
    "attention_bias": [True, False, None], "mlp_bias": [True, False, None], "decoder_bias": [False],
    "classifier_bias": [True, False, None], "classifier_pooling": ["cls", "mean", "max", None],
    "classifier_activation": ACTIVATIONS, "classifier_dropout": [0.5], "embedding_dropout": [0.5], "mlp_dropout": [0.5],
    "initializer_cutoff_factor": [3.0, None], "deterministic_flash_attn": [True], "reference_compile": [True, None],
    "repad_logits_with_grad": [True], "sparse_prediction": [True], "sparse_pred_ignore_index": [0], "cls_token_id": [3, None],
    "position_embedding_type": ["absolute", "relative_key"], "type_vocab_size": [1],
    "causal_mask": [False, True, None], "is_causal": [False, True, None],
    "local_attention": [1, 2, 3, 6, 7, 8, 100, 0, -1, None, "8", [4, 4]], "sliding_window": [0, 2, 3, 4, 5, None],
    "global_attn_every_n_layers": [0, 1, 2, 3, 4, None, "3"],
    "layer_types": [
        None, ["full_attention"], ["full_attention"] * 4, ["sliding_attention"] * 4, ["chunked_attention"] * 4,
        ["full_attention", "sliding_attention", "sliding_attention", "full_attention"], "full_attention"],
    "global_rope_theta": [160000.0, 10000, 5000.0, 0, None, "x"], "local_rope_theta": [10000.0, 123.0, 0.5, None],
    "rope_theta": [123.0], "partial_rotary_factor": [0.5], "rope_scaling": [
        None, {"rope_type": "default"}, {"type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0}],
    "rope_parameters": [
        None, {}, {"rope_type": "default", "rope_theta": 123.0}, {"full_attention": {"rope_type": "default"}},
        {"full_attention": None, "sliding_attention": {"rope_theta": 123.0}},
        {"full_attention": {"type": "default", "rope_theta": 77.0}, "sliding_attention": {"rope_type": "default"}},
        {"full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 77.0}},
        {"full_attention": {"rope_type": "default", "partial_rotary_factor": 0.5}}],
}

# Rotary positions that all layers have.
ROTARY = {
    "rope_theta": [123.0, 10000, 1000000.0, 0, None, "x"], "partial_rotary_factor": [0.5, 1.0],
    "rope_scaling": [
        None, {"rope_type": "default"}, {"type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0},
        {"type": "ntk", "factor": 8.0}, {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}],
    "rope_parameters": [
        None, {}, {"rope_type": "default", "rope_theta": 123.0}, {"rope_theta": 77.0}, {"rope_type": "linear", "factor": 2.0},
        {"rope_type": "linear", "factor": 4.0, "rope_theta": 500.0},
        {"rope_type": "yarn", "factor": 4.0, "rope_theta": 500.0, "original_max_position_embeddings": 16},
        {"rope_type": "yarn", "factor": 4.0, "rope_theta": 500.0, "beta_fast": 16.0, "beta_slow": 2.0, "truncate": False},
        {"rope_type": "yarn", "factor": 4.0, "rope_theta": 500.0, "attention_factor": 1.5},
        {"rope_type": "yarn", "factor": 4.0, "rope_theta": 500.0, "mscale": 0.7, "mscale_all_dim": 0.5},
        {"rope_type": "llama3", "factor": 8.0, "rope_theta": 500.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 32},
        {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 500.0}, {"rope_type": "longrope", "factor": 2.0},
        {"rope_type": "default", "rope_theta": 123.0, "partial_rotary_factor": 0.5}],
}

DECODER = {
    **{key: values for key, values in {**COMMON, **ENCODER, **ROTARY}.items() if key != "layer_norm_eps"},
    "num_attention_heads": [3, 6, 5, None], "num_key_value_heads": [1, 2, 3, 4, 6, None, "2"], "head_dim": [8, 4, 7, None],
    "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None], "rms_norm_eps": [1e-2, 0.0, None, "x"],
    "attention_bias": [True, False, None], "layer_types": [
        None, ["full_attention"], ["full_attention"] * 2, ["sliding_attention"] * 2, ["sliding_attention", "full_attention"],
        ["chunked_attention"] * 2, "full_attention"],
    "sliding_window": [None, 4, 8, 5, 0, "4"],
}

QWEN3 = {**DECODER, "use_sliding_window": [True, False, None], "max_window_layers": [0, 1, 2, 28, None]}

GEMMA3 = {
    **{key: values for key, values in DECODER.items() if key != "hidden_act"}, "hidden_activation": ACTIVATIONS,
    "hidden_act": ["silu"], "num_attention_heads": [3, 1, 5, None], "num_key_value_heads": [1, 3, 2, None],
    "query_pre_attn_scalar": [16, 8, 0, None, 2.5], "use_bidirectional_attention": [True, False, None],
    "attn_logit_softcapping": [None, 30.0], "final_logit_softcapping": [None, 30.0], "sliding_window_pattern": [1, 2, 6, None],
    "_sliding_window_pattern": [2, 6, None], "rope_local_base_freq": [10000.0, 123.0, None],
    "rope_parameters": [
        None, {}, {"rope_type": "default", "rope_theta": 123.0},
        {"full_attention": {"rope_type": "default", "rope_theta": 123.0}, "sliding_attention": {"rope_type": "default"}},
        {"full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 500.0},
         "sliding_attention": {"rope_type": "default", "rope_theta": 77.0}}],
}

NOMIC = {
    **COMMON, **ENCODER, **ROTARY, "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None],
    "type_vocab_size": [0, 1, 3, None], "head_dim": [4, 12, None], "classifier_dropout": [0.5], "n_embd": [24, 8],
    "n_positions": [8, 64, 400, None], "rotary_emb_base": [1000, 123, None], "rotary_emb_fraction": [1.0, 0.5],
    "layer_norm_epsilon": [1e-12, None], "prenorm": [True], "num_experts": [0, 8],
    "activation_function": ["swiglu", "gelu"],
}

GTE = {
    **COMMON, **ENCODER, **ROTARY, "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None],
    "type_vocab_size": [0, 1, 2, None], "layer_norm_type": ["layer_norm", "rms_norm"], "pack_qkv": [True, False],
    "position_embedding_type": ["rope", "absolute"], "logn_attention_scale": [True, False], "classifier_dropout": [0.5],
    "unpad_inputs": [True, "false"], "matryoshka_dimensions": [[8]],
}

DEBERTA = {
    **COMMON, **ENCODER,
    "vocab_size": [8, 4000, None], "max_position_embeddings": [8, 400, None], "type_vocab_size": [0, 1, 2, None],
    "position_buckets": [8, 16, 4, 1, 0, -1, 64, None, "8"], "max_relative_positions": [10, 24, 30, 5, 3, -1, None],
    "pos_att_type": [["c2p"], ["p2c"], ["c2p", "p2c"], "p2c|c2p", "P2C", [], ["p2p"], None, 3],
    "share_att_key": [True, False, None], "norm_rel_ebd": ["layer_norm", "none", "LAYER_NORM", "x", None],
    "relative_attention": [True, False, None], "position_biased_input": [True, False, None],
    "conv_kernel_size": [0, 3, 5, 2, -1, None], "conv_act": ["tanh", "gelu", "mish", None], "conv_groups": [1, 2],
    "embedding_size": [8, 16, 24, 32, None], "attention_head_size": [12, 8, None],
    "pooler_hidden_size": [8, 24, 32, None], "pooler_hidden_act": ["gelu", "tanh", "mish", None],
    "pooler_dropout": [0.5], "cls_dropout": [0.5], "legacy": [True, False], "z_steps": [0, 2],
    "position_embedding_type": ["absolute"], "classifier_dropout": [0.5],
}

DISTILBERT = {
    **COMMON,
    "dim": [8, None], "n_layers": [1, None], "n_heads": [1, 4, None], "hidden_dim": [8, None],
    "activation": ACTIVATIONS, "dropout": [0.5], "attention_dropout": [0.5], "qa_dropout": [0.5],
    "seq_classif_dropout": [0.5], "sinusoidal_pos_embds": [True], "vocab_size": [8, None],
    "max_position_embeddings": [8, None], "hidden_size": [24, 8], "num_attention_heads": [1, 2],
    "num_hidden_layers": [1, 2], "tie_weights_": [True], "layer_norm_eps": [1e-2],
}

VIT = {
    **COMMON, **ENCODER,
    "image_size": [24, [24, 24], 32, None, "24"], "patch_size": [4, [8, 8], [8, 4], None],
    "num_channels": [1, None], "qkv_bias": [False, None], "encoder_stride": [8], "pooler_output_size": [8],
    "pooler_act": ["relu"],
}

MOBILENET = {
    **COMMON,
    "num_channels": [1, None], "image_size": [32, [40, 40], None], "depth_multiplier": [0.5, 1.0, None],
    "depth_divisible_by": [4], "min_depth": [16], "expand_ratio": [3.0], "output_stride": [8, 16, 32, None],
    "first_layer_is_expansion": [False], "finegrained_output": [True], "hidden_act": ["relu6", "relu", "gelu", None],
    "tf_padding": [False, None], "classifier_dropout_prob": [0.5], "layer_norm_eps": [1e-1, None],
    "semantic_loss_ignore_index": [1],
}

CONVNEXT = {
    **COMMON,
    "num_channels": [1, None], "image_size": [48, [32, 32], None], "patch_size": [2, [4, 4], None],
    "num_stages": [2, 4, None], "hidden_sizes": [[16, 24], [16, 24, 32], None, "x"],
    "depths": [[1, 1, 1], [1, 2], None], "hidden_act": ACTIVATIONS, "layer_norm_eps": [1e-2, None],
    "layer_scale_init_value": [0, 0.0, 1e-2, None], "drop_path_rate": [0.5], "out_features": [["stage1"], None],
    "out_indices": [[1], None], "stage_names": [["a"], None], "mlp_ratio": [2],
}

RESNET = {
    **COMMON,
    "num_channels": [1, 3, None, "3"], "embedding_size": [8, 12, None],
    "hidden_sizes": [[8, 12], [8, 12, 16], None, "x", [8, 12, 20]], "depths": [[1, 1, 1], [2, 1], [2, 1, 3], None], "layer_type": ["basic", "bottleneck", "wide", None],
    "hidden_act": ACTIVATIONS, "downsample_in_first_stage": [False, True, None, 1],
    "downsample_in_bottleneck": [False, True, None], "out_features": [["stage1"], None, ["stage9"]],
    "out_indices": [[1], None], "stage_names": [["a"], None], "image_size": [32, None], "layer_norm_eps": [1e-2],
}

BEIT = {
    **COMMON, **ENCODER,
    "image_size": [40, [40, 40], 24, [40, 24], 47, None, "40"], "patch_size": [4, [8, 8], [8, 4], None],
    "num_channels": [1, None], "use_mask_token": [False, True, None],
    "use_absolute_position_embeddings": [False, True, None],
    "use_relative_position_bias": [False, True, None], "use_shared_relative_position_bias": [False, True, None],
    "layer_scale_init_value": [0.0, 0.5, -1.0, None, "x"], "use_mean_pooling": [False, True, None],
    "drop_path_rate": [0.5], "vocab_size": [8], "pool_scales": [[1, 2]], "use_auxiliary_head": [False], "auxiliary_loss_weight": [0.1],
    "auxiliary_channels": [8], "auxiliary_num_convs": [2], "auxiliary_concat_input": [True],
    "semantic_loss_ignore_index": [1], "add_fpn": [True, False], "reshape_hidden_states": [False],
    "out_features": [["stage1"], None, ["stage9"]], "out_indices": [[1], None], "segmentation_indices": [[1], None],
    "stage_names": [["a"], None], "qkv_bias": [False],
}

SWIN = {
    **COMMON,
    "image_size": [64, [64, 64], 48, [64, 72], 47, None, "64"], "patch_size": [2, [4, 4], [4, 2], None],
    "num_channels": [1, None], "embed_dim": [8, 12, None, "6", 6.0], "depths": [[2, 3], [2, 3, 1], [2, 3, 3], [2, 0, 2], None, "x"],
    "num_heads": [[1, 3, 4], [2, 3, 2], [2, 5, 4], [2, 3], [2, 3, 4, 4], None, 2], "window_size": [2, 3, 5, 0, None, "4", [4, 4]],
    "mlp_ratio": [2, 4, 1.7, 0, None, "x"], "qkv_bias": [False, True, None, 1], "hidden_act": ACTIVATIONS,
    "use_absolute_embeddings": [False, True, None, 1], "layer_norm_eps": [1e-5, 1e-2, 0.0, None, "x"],
    "encoder_stride": [8, None], "drop_path_rate": [0.5, None], "hidden_dropout_prob": [0.5],
    "attention_probs_dropout_prob": [0.5], "hidden_size": [8, None], "num_layers": [1, None], "path_norm": [False, True],
    "num_hidden_layers": [1], "num_attention_heads": [2], "head_dim": [4], "intermediate_size": [8],
    "out_features": [["stage1"], None, ["stage9"]], "out_indices": [[1], None], "stage_names": [["a"], None],
}

DINOV2 = {
    **COMMON,
    "hidden_size": [None, 8, "24", 24.0], "num_hidden_layers": [1, 3, None, "2", True],
    "num_attention_heads": [1, 4, 5, None], "hidden_act": ACTIVATIONS, "layer_norm_eps": [1e-2, 0.0, None, "x"],
    "attention_probs_dropout_prob": [0.5], "hidden_dropout_prob": [0.5], "head_dim": [4], "intermediate_size": [8],
    "mlp_ratio": [2, 2.0, 1, 4, 1.9, 0, None, "2"], "use_swiglu_ffn": [False, True, None, 1], "qkv_bias": [False, None],
    "image_size": [40, [40, 40], 24, [200, 8], [80, 20], None, "40"], "patch_size": [4, [8, 8], [8, 4], None],
    "num_channels": [1, None], "layerscale_value": [0.5, 0.0, None], "drop_path_rate": [0.5],
    "use_mask_token": [False, True, None], "apply_layernorm": [False, None], "reshape_hidden_states": [False, None],
    "out_features": [["stage1"], None, ["stage9"]], "out_indices": [[1], None], "stage_names": [["a"], None],
}
DINOV2_REGISTERS = {
    **DINOV2, "num_register_tokens": [0, 1, 3, 4, 5, None, "4"], "interpolate_antialias": [True, False],
    "interpolate_offset": [0.0, 0.1],
}

TEXT_TOWER = {
    **ENCODER,
    "vocab_size": [8], "max_position_embeddings": [8, 400], "bos_token_id": [1], "pad_token_id": [0],
    "something_new": [1], "dtype": ["float32"], "id2label": [{"0": "x"}], "initializer_factor": [3.0],
}
CLIP_TEXT = {**TEXT_TOWER, "eos_token_id": [2, 3, None, 49407, [2]], "projection_dim": [8, None],
             "model_type": ["bert", None]}
SIGLIP_TEXT = {**TEXT_TOWER, "eos_token_id": [3], "projection_size": [8, None], "model_type": ["bert", None]}
VISION_TOWER = {
    **ENCODER,
    "image_size": [32, None], "patch_size": [4, None], "num_channels": [1], "projection_dim": [8, None],
    "vision_use_head": [False, True], "something_new": [1], "model_type": ["bert", None], "initializer_factor": [3.0],
}

DUAL = {
    **COMMON,
    "projection_dim": [8, None], "logit_scale_init_value": [1.0], "initializer_factor": [2.0],
    "text_config_dict": [None, {}], "vision_config_dict": [None, {}], "text_config": [None], "vision_config": [None],
}
CLIP = {**DUAL, **nested("text_config", CLIP_TEXT), **nested("vision_config", VISION_TOWER)}
SIGLIP = {**DUAL, **nested("text_config", SIGLIP_TEXT), **nested("vision_config", VISION_TOWER)}

# An empty name stands for the object itself.
QUANTIZATION = {
    f"quantization_config{'.' if key else ''}{key}": values for key, values in {
        "": [None, {}], "quant_method": ["gptq", None], "format": ["pack-quantized", "dense", None],
        "quantization_status": ["frozen", "initialized", None], "global_compression_ratio": [1.5, None],
        "ignore": [["classifier"], []], "kv_cache_scheme": [{"num_bits": 8}, None], "sparsity_config": [{}, None],
        "transform_config": [{}, None], "version": ["0.9"], "something_new": [1],
        "config_groups": [{}, None], "config_groups.group_0.targets": [["classifier"], None],
        "config_groups.group_0.input_activations": [{"num_bits": 8}],
        "config_groups.group_0.output_activations": [{"num_bits": 8}],
        "config_groups.group_0.format": ["int-quantized", "pack-quantized", None],
        "config_groups.group_0.weights": [None], "config_groups.group_0.weights.num_bits": [4, None],
        "config_groups.group_0.weights.type": ["float", None], "config_groups.group_0.weights.symmetric": [False, None],
        "config_groups.group_0.weights.strategy": ["tensor", "group", None],
        "config_groups.group_0.weights.dynamic": [True, None], "config_groups.group_0.weights.group_size": [8],
        "config_groups.group_0.weights.actorder": ["group"], "config_groups.group_0.weights.observer": ["mse", None],
        "config_groups.group_0.weights.something_new": [1],
    }.items()
}

# Of weights that are packed, in 4 bits by groups.
PACKED = {
    f"quantization_config.{key}": values for key, values in {
        "format": ["int-quantized", "mixed-precision", None], "ignore": [[]],
        "config_groups.group_0.format": ["int-quantized", "mixed-precision", None],
        "config_groups.group_0.targets": [["Linear"]],
        "config_groups.group_0.weights.num_bits": [8, 3, None],
        "config_groups.group_0.weights.symmetric": [False, None],
        "config_groups.group_0.weights.strategy": ["channel", "tensor", "block", None],
        "config_groups.group_0.weights.group_size": [16, 0, -1, None],
        "config_groups.group_0.weights.actorder": ["weight", "static", "group", False, None],
        "config_groups.group_0.weights.dynamic": [True],
        "config_groups.group_1.weights.num_bits": [4], "config_groups.group_1.weights.strategy": ["tensor", None],
    }.items()
}
