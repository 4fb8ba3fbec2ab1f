/// Changes of the `config.json` of timm's vision transformers for ``ConfigurationTests``.
enum TimmViTCases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = names + keys + sizes + options + distilled

  private static let names: [Case] = [
    Case("vit-timm", "architecture", #""vit_base_patch16_siglip_224""#, .unsupportedModel, "siglip_224"),
    Case("vit-timm", "architecture", #""vit_base_patch16_rpn_224""#, .unsupportedModel, "rpn_224"),
    Case("vit-timm", "architecture", #""vit_base_patch16_radio_v3""#, .unsupportedModel, "radio_v3"),
    Case("vit-timm", "architecture", #""flexivit_base""#, .unsupportedModel, "flexivit_base"),
    Case("vit-timm", "architecture", #""vit_base_patch16_224x""#, .unsupportedModel, "vit_base_patch16_224x"),
    Case(
      "vit-timm", "architecture", #""vit_base_patch16_{224,384}""#, .unsupportedModel, "vit_base_patch16_"),
    Case(
      "vit-timm", "architecture", #""vit_base_patch16_clip_224""#, .malformedModel, "patch_embed.proj.bias"),
    Case("vit-timm", "architecture", #""vit_base_patch16_224_miil""#, .malformedModel, "attn.qkv.bias"),
    Case("vit-timm", "architecture", #""vit_small_patch16_36x1_224""#, .malformedModel, "blocks.0.ls1.gamma"),
    Case("vit-timm", "architecture", #""vit_giant_patch14_dinov2""#, .malformedModel, "blocks.0.ls1.gamma"),
    Case("vit-timm", "architecture", #""deit3_base_patch16_224""#, .malformedModel, "pos_embed"),
    Case("vit-timm", "architecture", #""deit_tiny_distilled_patch16_224""#, .malformedModel, "pos_embed"),
    Case("deit-timm-distilled", "architecture", #""deit_tiny_patch16_224""#, .malformedModel, "dist_token"),
  ]

  private static let keys: [Case] = [
    Case("vit-timm", "something_new", "1", .unsupportedModel, "something_new"),
    Case("vit-timm", "num_classes", "6", .configuration, "model_args.num_classes"),
    Case("vit-timm", "num_classes", "0", .configuration, "num_classes"),
    Case("vit-timm", "global_pool", #""avg""#, .unsupportedModel, "global_pool"),
    Case("vit-timm-mean", "global_pool", #""token""#, .unsupportedModel, "global_pool"),
    Case("vit-timm", "model_args", nil, .malformedModel, "the 12 of vit_base_patch16_224"),
    Case("vit-timm", "model_args.num_classes", "4", .configuration, "model_args.num_classes"),
    Case("vit-timm", "model_args.in_chans", "1", .unsupportedModel, "model_args.in_chans"),
    Case("vit-timm", "model_args.something_new", "1", .unsupportedModel, "something_new"),
    Case("vit-timm", "model_args.norm_layer", #""rmsnorm""#, .unsupportedModel, "norm_layer"),
    Case("vit-timm", "model_args.mlp_layer", #""glumlp""#, .unsupportedModel, "mlp_layer"),
    Case("vit-timm", "model_args.attn_layer", #""diff""#, .unsupportedModel, "attn_layer"),
    Case("vit-timm", "model_args.block_fn", #""Block""#, .unsupportedModel, "block_fn"),
    Case("vit-timm", "model_args.act_layer", #""mish""#, .unsupportedModel, "model_args.act_layer"),
    Case("vit-timm", "model_args.qk_norm", "true", .unsupportedModel, "model_args.qk_norm"),
    Case("vit-timm", "model_args.scale_attn_norm", "true", .unsupportedModel, "scale_attn_norm"),
    Case("vit-timm", "model_args.scale_mlp_norm", "true", .unsupportedModel, "scale_mlp_norm"),
    Case("vit-timm", "model_args.pool_include_prefix", "true", .unsupportedModel, "pool_include_prefix"),
    Case("vit-timm", "model_args.dynamic_img_pad", "true", .unsupportedModel, "dynamic_img_pad"),
    Case("vit-timm", "model_args.proj_bias", "false", .unsupportedModel, "model_args.proj_bias"),
    Case("vit-timm", "model_args.final_norm", "false", .unsupportedModel, "model_args.final_norm"),
    Case("vit-timm", "model_args.pos_embed", #""none""#, .unsupportedModel, "model_args.pos_embed"),
  ]

  private static let sizes: [Case] = [
    Case("vit-timm", "model_args.img_size", "48", .configuration, "model_args.img_size"),
    Case("vit-timm", "model_args.img_size", "[40, 48]", .configuration, "40×40"),
    Case("vit-timm", "pretrained_cfg", nil, .configuration, "224×224"),
    Case("vit-timm", "pretrained_cfg.input_size", "[1, 40, 40]", .unsupportedModel, "1 channels"),
    Case("vit-timm", "pretrained_cfg.input_size", "[3, 65537, 40]", .configuration, "at most 65536"),
    Case("vit-timm", "pretrained_cfg.input_size", "[40, 40]", .configuration, "3, height and width"),
    Case("vit-timm", "pretrained_cfg.input_size", "[3, 0, 40]", .configuration, "3, height and width"),
    Case("vit-timm", "pretrained_cfg.label_offset", "1", .unsupportedModel, "pretrained_cfg.label_offset"),
    Case("vit-timm-dynamic", "pretrained_cfg.input_size", "[3, 44, 40]", .configuration, "multiples of 8"),
    Case("vit-timm-dynamic", "model_args.dynamic_img_size", "false", .configuration, "input_size"),
    Case("vit-timm", "model_args.embed_dim", "30", .malformedModel, "patch_embed.proj.weight"),
    Case("vit-timm", "model_args.embed_dim", "25", .configuration, "model_args.num_heads"),
    Case("vit-timm", "model_args.depth", "3", .malformedModel, "the 3 of model_args.depth"),
    Case("vit-timm", "model_args.depth", "0", .configuration, "model_args.depth"),
    Case("vit-timm", "model_args.num_heads", "5", .configuration, "model_args.num_heads"),
    Case("vit-timm", "model_args.mlp_ratio", "0.01", .configuration, "model_args.mlp_ratio"),
    Case("vit-timm", "model_args.mlp_ratio", nil, .malformedModel, "blocks.0.mlp.fc1.weight"),
    Case("vit-timm-gated", "model_args.mlp_ratio", "2.125", .configuration, "an even number"),
    Case("vit-timm", "model_args.patch_size", "4", .malformedModel, "patch_embed.proj.weight"),
    Case("vit-timm", "model_args.patch_size", "[8, 4]", .unsupportedModel, "model_args.patch_size"),
    Case("vit-timm", "model_args.patch_size", "64", .configuration, "patches of 64"),
  ]

  private static let options: [Case] = [
    Case("vit-timm", "model_args.global_pool", #""avg""#, .unsupportedModel, "global_pool"),
    Case("vit-timm", "model_args.global_pool", #""map""#, .unsupportedModel, "model_args.global_pool"),
    Case("vit-timm", "model_args.class_token", "false", .configuration, "model_args.class_token"),
    Case("vit-timm-mean", "model_args.class_token", "false", .malformedModel, "cls_token"),
    Case("vit-timm-gap", "model_args.class_token", "true", .malformedModel, "pos_embed"),
    Case("vit-timm", "model_args.reg_tokens", "2", .malformedModel, "pos_embed"),
    Case("vit-timm-registers", "model_args.reg_tokens", "0", .malformedModel, "reg_token"),
    Case("vit-timm-registers", "model_args.reg_tokens", "3", .malformedModel, "reg_token"),
    Case("vit-timm", "model_args.no_embed_class", "true", .malformedModel, "pos_embed"),
    Case("vit-timm", "model_args.pre_norm", "true", .malformedModel, "patch_embed.proj.bias"),
    Case("vit-timm-clip", "model_args.pre_norm", "false", .malformedModel, "norm_pre"),
    Case("vit-timm", "model_args.init_values", "0.1", .malformedModel, "blocks.0.ls1.gamma"),
    Case("vit-timm-gap", "model_args.init_values", "0", .malformedModel, "blocks.0.ls1"),
    Case("vit-timm", "model_args.qkv_bias", "false", .malformedModel, "blocks.0.attn.qkv.bias"),
    Case("vit-timm-gap", "model_args.qkv_bias", "true", .malformedModel, "blocks.0.attn.qkv.bias"),
    Case("vit-timm", "model_args.fc_norm", "true", .malformedModel, "tensor 'norm'"),
    Case("vit-timm-mean", "model_args.fc_norm", "false", .malformedModel, "tensor 'fc_norm'"),
  ]

  private static let distilled: [Case] = [
    Case("deit-timm-distilled", "model_args.global_pool", #""avg""#, .unsupportedModel, "global_pool"),
    Case("deit-timm-distilled", "model_args.class_token", "false", .configuration, "class_token"),
    Case("deit-timm-distilled", "model_args.reg_tokens", "1", .unsupportedModel, "model_args.reg_tokens"),
    Case("deit-timm-distilled", "model_args.fc_norm", "true", .unsupportedModel, "model_args.fc_norm"),
  ]

  static let accepted: [Case] = [
    // Their sizes are those of model_args.
    Case("vit-timm", "architecture", #""vit_base_patch16_224.augreg2_in21k_ft_in1k""#, .configuration, ""),
    Case("vit-timm", "architecture", #""deit_tiny_patch16_224""#, .configuration, ""),
    Case("vit-timm", "model_args.img_size", nil, .configuration, ""),
    Case("vit-timm", "model_args.img_size", "40", .configuration, ""),
    Case("vit-timm", "pretrained_cfg.fixed_input_size", "false", .configuration, ""),
    Case("vit-timm", "pretrained_cfg.test_input_size", "[3, 256, 256]", .configuration, ""),
    Case("vit-timm", "model_args.patch_size", "[8, 8]", .configuration, ""),
    Case("vit-timm", "model_args.dynamic_img_size", "true", .configuration, ""),
    Case("vit-timm-dynamic", "model_args.img_size", "48", .configuration, ""),
    Case("vit-timm-dynamic", "model_args.img_size", "[40, 56]", .configuration, ""),
    Case("vit-timm-dynamic", "pretrained_cfg.input_size", "[3, 48, 56]", .configuration, ""),
    Case("vit-timm", "pretrained_cfg.label_offset", "0", .configuration, ""),
    Case("vit-timm", "pretrained_cfg.label_offset", "null", .configuration, ""),
    Case("vit-timm", "model_args.init_values", "null", .configuration, ""),
    Case("vit-timm", "model_args.init_values", "0", .configuration, ""),
    Case("vit-timm", "model_args.fc_norm", "null", .configuration, ""),
    Case("vit-timm", "model_args.pos_embed", #""learn""#, .configuration, ""),
    Case("vit-timm", "model_args.qk_norm", "false", .configuration, ""),
    Case("vit-timm", "model_args.act_layer", #""gelu""#, .configuration, ""),
    Case("vit-timm", "model_args.weight_init", #""jax""#, .configuration, ""),
    Case("vit-timm", "model_args.patch_drop_rate", "0.5", .configuration, ""),
    Case("vit-timm", "model_args.drop_path_rate", "0.1", .configuration, ""),
    Case("vit-timm", "global_pool", nil, .configuration, ""),
    Case("vit-timm", "num_features", "768", .configuration, ""),
    Case("vit-timm-mean", "model_args.fc_norm", "true", .configuration, ""),
  ]
}
