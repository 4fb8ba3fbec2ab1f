"""Keys of open_clip_config.json and of timm's config.json, each with the values that it is given."""
from .network_keys import nested

TOWER = {
    "width": [8, None], "layers": [1, [1, 1, 1, 1], None], "mlp_ratio": [4.0, None], "ls_init_value": [0.1, None],
    "act_kwargs": [{"negative_slope": 0.1}, None], "norm_kwargs": [{"eps": 1e-2}, {}, None],
    "block_type": ["custom", "default", None], "qk_norm": [True, False], "scaled_cosine_attn": [True, False],
    "scale_heads": [True, False], "scale_attn_inner": [True, False], "scale_attn": [True, False],
    "scale_fc": [True, False], "final_ln_after_pool": [True, False], "output_tokens": [True, False],
    "something_new": [1, None],
}

VISION = {
    **TOWER,
    "head_width": [6, 24, 64, None], "patch_size": [4, [8, 8], [8, 4], None], "image_size": [32, [24, 24], [24, 32], None],
    "patch_dropout": [0.5], "attentional_pool": [True, "parallel", False], "attn_pooler_queries": [4],
    "attn_pooler_heads": [2], "no_ln_pre": [True, False], "pos_embed_type": ["sin_cos_2d", "learnable", "none"],
    "pool_type": ["tok", "avg", "none"], "timm_model_name": ["resnet18", None], "timm_model_pretrained": [False],
    "timm_pool": ["", "avg"], "timm_proj": [None, "mlp"], "timm_proj_bias": [True], "timm_drop": [0.5],
    "timm_drop_path": [0.5],
}

TEXT = {
    **TOWER,
    "context_length": [8, 400, None], "vocab_size": [8, None], "heads": [2, 8, 5, None],
    "hf_tokenizer_name": ["other", None, ""], "tokenizer_mode": ["clips", "clip", None],
    "tokenizer_kwargs": [{}, {"strip_sep_token": True}, {"clean": "lower"}, {"clean": "canonicalize"}],
    "embed_cls": [True, False], "pad_id": [3], "eos_id": [3, 559], "no_causal_mask": [True, False],
    "pool_type": ["argmax", "eos", "first", "last", "none"], "proj_bias": [True, False],
    "proj_type": ["linear", "none"], "hf_model_name": ["x", None], "hf_model_pretrained": [False],
    "hf_proj_type": ["linear"], "hf_pooler_type": ["cls_pooler"],
}

MODEL = {
    "embed_dim": [8, None], "quick_gelu": [True, False, None], "custom_text": [True, False],
    "init_logit_scale": [1.0], "init_logit_bias": [-10, None], "nonscalar_logit_scale": [True, False],
    "multimodal_cfg": [{}], "cast_dtype": ["fp32"], "output_dict": [True, False], "something_new": [1],
    **nested("vision_cfg", VISION), **nested("text_cfg", TEXT),
}

PREPROCESSING = {
    "size": [24, [24, 24], [24, 32], None], "mode": ["RGB", "L"], "mean": [[0.1, 0.2, 0.3], 0.5, None],
    "std": [[0.1, 0.2, 0.3], 0.5, None], "interpolation": ["bilinear", "bicubic", "random", "nearest", None],
    "resize_mode": ["squash", "longest", "shortest", None], "fill_color": [128], "something_new": [1],
}

OPEN_CLIP = {
    "something_new": [1], "preprocess_cfg": [None, {}],
    **nested("model_cfg", MODEL), **nested("preprocess_cfg", PREPROCESSING),
}

TRAINED = {
    "input_size": [[3, 48, 48], [3, 40, 56], [1, 40, 40], None, 40], "test_input_size": [[3, 64, 64]],
    "min_input_size": [[3, 8, 8]], "fixed_input_size": [True], "interpolation": [
        "bilinear", "bicubic", "nearest", "lanczos", "box", "hamming", "random", "x", None, ""],
    "crop_pct": [0.5, 1.0, 0.9, 1.2, None, 0], "test_crop_pct": [0.5],
    "crop_mode": ["center", "squash", "border", "x", None],
    "mean": [[0.1, 0.2, 0.3], 0.5, [0.5], None], "std": [[0.1, 0.2, 0.3], 0.5, [0.5], None],
    "num_classes": [3, None], "label_offset": [1, None], "label_names": [["a"] * 5], "label_descriptions": [{"a": "b"}],
    "pool_size": [[1, 1]], "test_pool_size": [[1, 1]], "first_conv": ["x"], "classifier": ["x", None], "license": ["x"],
    "description": ["x"], "origin_url": ["x"], "paper_name": ["x"], "paper_ids": ["x"], "notes": [["x"]], "url": ["x"],
    "file": ["x", None], "state_dict": [None], "hf_hub_id": ["a/b"], "hf_hub_filename": ["x"], "source": ["hf-hub"],
    "architecture": ["x"], "tag": ["x"], "custom_load": [False, True, "hf"], "something_new": [1, None],
}

TIMM = {
    "architecture": ["mobilenetv2_050", "resnet18", None, "mobilenetv2_110d"], "num_classes": [3, None],
    "num_features": [3, None], "global_pool": ["avg", "max", "catavgmax", "", None],
    "label_names": [["a"] * 5, ["a"], None], "label_descriptions": [{"a": "b"}], "tag": ["x"],
    "model_args": [{}, {"drop_rate": 0.1}, {"act_layer": "relu"}, {"output_stride": 16}, {"in_chans": 1},
        {"num_classes": 5, "in_chans": 3, "global_pool": "avg"}, {"num_classes": 4}, None],
    "pretrained_cfg": [None, {}], "something_new": [1], **nested("pretrained_cfg", TRAINED),
}

# Of a network that is large to read: what its family has of its own.
TIMM_RESNET = {
    "architecture": ["resnet18", "resnet18d.ra2_in1k", "resnet34d", "resnet18t", "mobilenetv2_050", None],
    "num_classes": [3, None], "global_pool": ["avg", "max", None], "model_args": [{}, {"output_stride": 16}, None],
    "something_new": [1],
}

TIMM_MOBILENETV3 = {
    "architecture": ["mobilenetv3_small_050.lamb_in1k", "mobilenetv3_small_075", "mobilenetv3_large_100",
        "tf_mobilenetv3_small_minimal_100", "mobilenetv3_rw", "mobilenetv4_conv_small", None],
    "num_classes": [3, None], "global_pool": ["avg", "max", None],
    "model_args": [{}, {"act_layer": "relu"}, {"head_bias": False}, {"drop_path_rate": 0.1}, {"num_classes": 5}, None],
    "something_new": [1],
}

TIMM_EFFICIENTNET = {
    "architecture": ["efficientnet_b0", "tf_efficientnet_b0.ns_jft_in1k", "tf_efficientnet_b1", "tf_efficientnet_lite0",
        "tf_efficientnetv2_b0", "efficientnet_b0_gn", None],
    "num_classes": [3, None], "global_pool": ["avg", "max", None],
    "model_args": [{}, {"bn_eps": 0.01}, {"pad_type": ""}, {"output_stride": 16}, {"drop_rate": 0.2}, None],
    "something_new": [1],
}

TIMM_VIT_ARGUMENTS = {
    "num_classes": [5, 4, None], "in_chans": [3, 1, None], "img_size": [40, [40, 40], 48, [40, 48], None],
    "patch_size": [8, [8, 8], 4, [8, 4], None], "embed_dim": [24, 24.0, 48, 25, None], "depth": [1, 2, 3, 0, None],
    "num_heads": [1, 2, 3, 5, None], "mlp_ratio": [2.5, 2.51, 4, 0, None], "qkv_bias": [True, False, None],
    "qk_norm": [False, True], "scale_attn_norm": [False, True], "scale_mlp_norm": [False, True],
    "proj_bias": [True, False], "init_values": [0, 0.1, None], "class_token": [True, False, None],
    "pos_embed": ["learn", "none", ""], "no_embed_class": [False, True, None], "reg_tokens": [0, 1, 4, None],
    "pre_norm": [False, True, None], "final_norm": [True, False], "fc_norm": [True, False, None],
    "global_pool": ["token", "avg", "max", "avgmax", "map", "", None], "pool_include_prefix": [False, True],
    "dynamic_img_size": [True, False], "dynamic_img_pad": [True, False], "drop_rate": [0.1], "pos_drop_rate": [0.1],
    "patch_drop_rate": [0.1], "proj_drop_rate": [0.1], "attn_drop_rate": [0.1], "drop_path_rate": [0.1],
    "weight_init": ["jax", "skip", ""], "fix_init": [True], "norm_layer": ["layernorm", "rmsnorm"],
    "act_layer": ["gelu", "gelu_tanh", "quick_gelu", "relu", "silu", "swish", "tanh", "mish", None],
    "attn_layer": ["diff", "attn"], "strict_img_size": [False], "something_new": [1],
}

TIMM_VIT = {
    "architecture": ["vit_base_patch16_224.augreg_in21k", "deit_tiny_patch16_224", "vit_base_patch16_clip_224",
        "vit_small_patch16_36x1_224", "deit3_small_patch16_224", "deit_tiny_distilled_patch16_224", "eva_large_patch14_336",
        "vit_base_patch16_gap_224", "vit_medium_patch16_reg4_gap_256", "vit_base_patch16_224_miil",
        "vit_base_patch16_siglip_224", "flexivit_small", "test_vit", None],
    "num_classes": [3, 0, None], "num_features": [3, None], "global_pool": ["token", "avg", "map", "", None],
    "model_args": [{}, None], "pretrained_cfg": [None, {}], "something_new": [1],
    **nested("model_args", TIMM_VIT_ARGUMENTS),
    **nested("pretrained_cfg", {**TRAINED, "fixed_input_size": [True, False, None]}),
}
