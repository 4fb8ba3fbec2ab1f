import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Models

/// What a configuration asks for that changes the result is done or refused by name.
struct ConfigurationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let fixture: String
    let file: String
    /// Dots lead into objects.
    let key: String
    /// As JSON; nil takes the key away.
    let value: String?
    let kind: ApusError.Kind
    /// What the error must say.
    let says: String

    init(
      _ fixture: String, _ key: String, _ value: String?, _ kind: ApusError.Kind, _ says: String,
      file: String = "config.json"
    ) {
      self.fixture = fixture
      self.file = file
      self.key = key
      self.value = value
      self.kind = kind
      self.says = says
    }

    var testDescription: String { "\(fixture): \(key) = \(value ?? "missing")" }
  }

  static let refused: [Case] = [
    Case("vit", "architectures", #"["Swinv2ForImageClassification"]"#, .unsupportedModel, "Swinv2"),
    Case(
      "vit", "architectures", #"["ViTForImageClassification", "ViTModel"]"#, .configuration, "architectures"),
    Case("vit", "architectures", nil, .configuration, "architectures"),
    Case("vit", "hidden_size", "26", .malformedModel, "hidden_size 26"),
    Case("vit", "hidden_size", "25", .configuration, "num_attention_heads"),
    Case("vit", "hidden_size", #""24""#, .configuration, "hidden_size"),
    Case("vit", "hidden_size", "-24", .configuration, "hidden_size"),
    Case("vit", "num_attention_heads", "0", .configuration, "num_attention_heads"),
    Case("vit", "num_attention_heads", "5", .configuration, "a divisor of the 24 features"),
    Case("vit", "head_dim", "8", .unsupportedModel, "head_dim"),
    Case("vit", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case("vit", "layer_norm_eps", "-1", .configuration, "layer_norm_eps"),
    Case("vit", "num_hidden_layers", "3", .malformedModel, "vit.encoder.layer.2"),
    Case("vit", "num_hidden_layers", "1e300", .configuration, "num_hidden_layers"),
    Case("vit", "patch_size", "[8, 4]", .unsupportedModel, "patch_size"),
    Case("vit", "patch_size", "0", .configuration, "patch_size"),
    Case("vit", "patch_size", "25", .configuration, "patches of 25"),
    Case("vit", "image_size", "32", .malformedModel, "position_embeddings"),
    Case("vit", "image_size", "[24]", .configuration, "image_size"),
    Case("vit", "num_channels", "1", .malformedModel, "patch_embeddings.projection.weight"),
    Case("vit", "id2label", #"{"0": "a", "2": "b"}"#, .configuration, "id2label.1"),
    Case("vit", "id2label", "{}", .configuration, "id2label"),
    Case(
      "bert-reranker", "problem_type", #""single_label_classification""#, .configuration, "problem_type"),
    Case("roberta-classifier", "pad_token_id", "null", .configuration, "pad_token_id"),
    Case("vit", "id2label", #"{"0": "a", "1": "b"}"#, .malformedModel, "classifier.weight"),
    Case("vit", "problem_type", #""ranking""#, .unsupportedModel, "problem_type"),
    Case("mobilenetv2", "output_stride", "16", .unsupportedModel, "output_stride"),
    Case("mobilenetv2", "hidden_act", #""relu""#, .unsupportedModel, "hidden_act"),
    Case("mobilenetv2", "first_layer_is_expansion", "false", .unsupportedModel, "first_layer_is_expansion"),
    Case("mobilenetv2-timm", "architecture", #""resnet50c""#, .unsupportedModel, "resnet50c"),
    Case("mobilenetv2-timm", "architecture", #""resnet50""#, .malformedModel, "blocks in layer1"),
    Case("resnet", "something_new", "1", .unsupportedModel, "something_new"),
    Case("resnet", "model_type", #""regnet""#, .unsupportedModel, "model_type"),
    Case("resnet", "architectures", #"["ResNetBackbone"]"#, .unsupportedModel, "ResNetBackbone"),
    Case("resnet", "layer_type", #""wide""#, .unsupportedModel, "layer_type"),
    Case("resnet", "layer_type", #""bottleneck""#, .malformedModel, "layers.0.layer.0.convolution.weight"),
    Case("resnet", "layer_type", nil, .malformedModel, "layers.0.layer.0.convolution.weight"),
    Case("resnet", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case("resnet", "num_channels", "1", .malformedModel, "embedder.embedder.convolution.weight"),
    Case("resnet", "num_channels", "0", .configuration, "num_channels"),
    Case("resnet", "embedding_size", "12", .malformedModel, "embedder.embedder.convolution.weight"),
    Case("resnet", "hidden_sizes", "[8, 12]", .configuration, "depths"),
    Case("resnet", "hidden_sizes", "[8, 12, 16]", .malformedModel, "stages.2.layers.0"),
    Case("resnet", "hidden_sizes", "[8, -12, 20]", .configuration, "hidden_sizes"),
    Case("resnet", "depths", "[2, 1, 3]", .malformedModel, "stages.2.layers.2"),
    Case("resnet", "depths", "[2, 1, 1048576]", .configuration, "depths"),
    Case("resnet", "downsample_in_first_stage", "true", .malformedModel, "layers.0.shortcut"),
    Case("resnet", "downsample_in_first_stage", "1", .configuration, "downsample_in_first_stage"),
    Case("resnet", "id2label", #"{"0": "a", "1": "b"}"#, .malformedModel, "classifier.1.weight"),
    Case("resnet-bottleneck", "hidden_sizes", "[3, 24, 32, 40]", .configuration, "hidden_sizes"),
    Case("resnet-bottleneck", "downsample_in_bottleneck", #""yes""#, .configuration, "in_bottleneck"),
    Case("resnet-timm", "architecture", #""resnet26""#, .malformedModel, "the 2 of resnet26"),
    Case("resnet-timm", "architecture", #""resnet34.a1_in1k""#, .malformedModel, "layer1.0.conv1.weight"),
    Case("resnet-timm", "architecture", #""resnext50_32x4d""#, .unsupportedModel, "resnext50_32x4d"),
    Case("resnet-timm", "architecture", #""resnet50d""#, .malformedModel, "conv1.0.weight"),
    Case("resnet-timm", "model_args", #"{"output_stride": 16}"#, .unsupportedModel, "output_stride"),
    Case("resnet-timm", "model_args", #"{"in_chans": 1}"#, .unsupportedModel, "model_args.in_chans"),
    Case("resnet-timm", "model_args", #"{"num_classes": 4}"#, .configuration, "model_args.num_classes"),
    Case("resnet-timm", "label_names", #"{"5": "six"}"#, .configuration, "label_names"),
    Case("modernbert", "causal_mask", "true", .unsupportedModel, "causal_mask"),
    Case("resnet-timm", "global_pool", #""max""#, .unsupportedModel, "global_pool"),
    Case("resnet-timm", "num_classes", "6", .configuration, "label_names"),
    Case("resnet-timm-deep", "architecture", #""resnet34d""#, .malformedModel, "the 3 of resnet34d"),
    Case("beit", "something_new", "1", .unsupportedModel, "something_new"),
    Case("beit", "model_type", #""data2vec-vision""#, .unsupportedModel, "model_type"),
    Case(
      "beit", "architectures", #"["BeitForSemanticSegmentation"]"#, .unsupportedModel, "BeitForSemantic"),
    Case("beit", "image_size", "48", .malformedModel, "relative_position_bias_table"),
    Case("beit", "image_size", "[40, 48]", .unsupportedModel, "image_size"),
    Case("beit", "image_size", "1600", .configuration, "image_size"),
    Case("beit", "num_attention_heads", "4", .malformedModel, "relative_position_bias_table"),
    Case("beit", "use_absolute_position_embeddings", "true", .malformedModel, "position_embeddings"),
    Case("beit", "use_mean_pooling", "false", .malformedModel, "beit.layernorm"),
    Case(
      "beit", "use_shared_relative_position_bias", "true", .malformedModel,
      "beit.encoder.relative_position_bias"),
    Case("beit", "layer_scale_init_value", #""x""#, .configuration, "layer_scale_init_value"),
    Case(
      "beit-shared", "use_relative_position_bias", "true", .malformedModel, "relative_position_bias_table"),
    Case("beit-shared", "layer_scale_init_value", "0.1", .malformedModel, "lambda_1"),
    Case("mobilenetv2-timm", "global_pool", #""max""#, .unsupportedModel, "global_pool"),
    Case("mobilenetv2-timm", "label_names", #"["one"]"#, .configuration, "label_names"),
    Case("clip", "projection_dim", "17", .malformedModel, "visual_projection.weight"),
    Case("clip", "text_config", nil, .configuration, "text_config"),
    Case("clip", "text_config.vocab_size", "9", .malformedModel, "token_embedding"),
    Case("siglip", "vision_config.vision_use_head", "false", .unsupportedModel, "vision_use_head"),
    Case("siglip", "text_config.projection_size", "8", .configuration, "projection_size"),
    Case("siglip", "architectures", #"["Siglip2Model"]"#, .unsupportedModel, "Siglip2Model"),
    Case("bert-classifier", "position_embedding_type", #""relative_key""#, .unsupportedModel, "relative_key"),
    Case("bert-classifier", "is_decoder", "true", .unsupportedModel, "is_decoder"),
    Case("bert-classifier", "add_cross_attention", "true", .unsupportedModel, "add_cross_attention"),
    Case("bert-classifier", "pruned_heads", #"{"0": [1]}"#, .unsupportedModel, "pruned_heads"),
    Case("bert-classifier", "architectures", #"["BertForQuestionAnswering"]"#, .unsupportedModel, "Question"),
    Case(
      "bert-reranker", "sentence_transformers.activation_fn", #""torch.nn.modules.activation.ReLU""#,
      .unsupportedModel, "ReLU"),
    Case("bert-reranker", "sentence_transformers.new", "1", .unsupportedModel, "'new'"),
    Case(
      "roberta-classifier", "sbert_ce_default_activation_function", #""mine.Activation""#, .unsupportedModel,
      "mine.Activation"),
    Case("distilbert-classifier", "dim", "28", .malformedModel, "dim 28"),
    Case("distilbert-classifier", "n_heads", "7", .configuration, "n_heads"),
    Case("roberta-classifier", "pad_token_id", "49", .configuration, "max_position_embeddings"),
    Case("mpnet", "max_position_embeddings", "2", .configuration, "max_position_embeddings"),
    Case("mpnet", "max_position_embeddings", "512", .malformedModel, "embeddings.position_embeddings.weight"),
    Case("mpnet", "relative_attention_num_buckets", "31", .configuration, "relative_attention_num_buckets"),
    Case("mpnet", "relative_attention_num_buckets", "64", .malformedModel, "relative_attention_bias.weight"),
    Case("mpnet", "relative_attention_max_distance", "64", .unsupportedModel, "max_distance"),
    Case("mpnet", "num_attention_heads", "4", .malformedModel, "relative_attention_bias.weight"),
    Case("mpnet", "position_embedding_type", #""relative_key""#, .unsupportedModel, "relative_key"),
    Case("mpnet-classifier", "relative_attention_num_buckets", nil, .malformedModel, "bias.weight"),
    Case("electra", "embedding_size", "8", .malformedModel, "embedding_size 8"),
    Case("electra", "embedding_size", nil, .malformedModel, "word_embeddings.weight"),
    Case("electra", "hidden_size", "28", .malformedModel, "electra.embeddings_project.weight"),
    Case("electra", "position_embedding_type", #""relative_key""#, .unsupportedModel, "relative_key"),
    Case("electra", "is_decoder", "true", .unsupportedModel, "is_decoder"),
    Case("electra", "num_hidden_groups", "1", .unsupportedModel, "num_hidden_groups"),
    Case("electra", "architectures", #"["ElectraForTokenClassification"]"#, .unsupportedModel, "Token"),
    Case("electra-classifier", "type_vocab_size", "3", .malformedModel, "token_type_embeddings"),
    Case("electra-classifier", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case("albert", "embedding_size", nil, .malformedModel, "word_embeddings.weight"),
    Case("albert", "embedding_size", #""16""#, .configuration, "embedding_size"),
    Case("albert", "num_hidden_groups", "3", .malformedModel, "albert_layer_groups.2.albert_layers.0"),
    Case("albert", "num_hidden_groups", "0", .configuration, "num_hidden_groups"),
    Case("albert", "inner_group_num", "3", .malformedModel, "albert_layer_groups.0.albert_layers.2"),
    Case("albert", "inner_group_num", "0", .configuration, "inner_group_num"),
    Case("albert", "inner_group_num", "342", .configuration, "inner_group_num"),
    Case("albert", "num_hidden_layers", "1025", .configuration, "num_hidden_layers"),
    Case("albert", "num_attention_heads", "5", .configuration, "num_attention_heads"),
    Case("albert", "position_embedding_type", #""relative_key""#, .unsupportedModel, "relative_key"),
    Case("albert", "summary_type", #""first""#, .unsupportedModel, "summary_type"),
    Case("albert-classifier", "model_type", #""bert""#, .unsupportedModel, "model_type"),
    Case(
      "albert-classifier", "architectures", #"["AlbertForMultipleChoice"]"#, .unsupportedModel, "Multiple"),
    Case(
      "roberta-classifier", "architectures", #"["RobertaForPreTraining"]"#, .unsupportedModel, "PreTraining"),
    Case(
      "bert-sentence", "pooling_mode_max_tokens", "true", .unsupportedModel, "max_tokens",
      file: "1_Pooling/config.json"),
    Case(
      "open-clip", "model_cfg.vision_cfg.timm_model_name", #""vit_base""#, .unsupportedModel,
      "timm_model_name", file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.vision_cfg.layers", "[3, 4, 6, 3]", .unsupportedModel, "layers",
      file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.vision_cfg.layers", "1", .configuration, "the weights have 2 layers",
      file: "open_clip_config.json"),
    Case(
      "open-clip-custom-text", "model_cfg.text_cfg.layers", "1", .configuration, "text_cfg.layers",
      file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.vision_cfg.global_average_pool", "true", .unsupportedModel,
      "global_average_pool", file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.text_cfg.hf_model_name", #""xlm""#, .unsupportedModel, "hf_model_name",
      file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.text_cfg.tokenizer_kwargs", #"{"clean": "canonicalize"}"#, .unsupportedModel,
      "clean", file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.text_cfg.tokenizer_mode", #""clips""#, .unsupportedModel, "tokenizer_mode",
      file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.text_cfg.no_causal_mask", "true", .unsupportedModel, "no_causal_mask",
      file: "open_clip_config.json"),
    Case(
      "open-clip", "model_cfg.multimodal_cfg", "{}", .unsupportedModel, "multimodal_cfg",
      file: "open_clip_config.json"),
    Case("vit", "something_new", "1", .unsupportedModel, "unknown key 'something_new'"),
    Case("vit", "emb_size", "312", .unsupportedModel, "unknown key 'emb_size'"),
    Case(
      "bert-sentence", "adapters", #"{"adapters": {"mine": "a configuration"}}"#, .unsupportedModel,
      "adapters.adapters"),
    Case("bert-sentence", "adapters", #"{"fusions": ["a,b"]}"#, .unsupportedModel, "adapters.fusions"),
    Case("bert-sentence", "adapters", #"{"adapters": {}, "more": 1}"#, .unsupportedModel, "'more'"),
    Case("vit", "model_type", #""deit""#, .unsupportedModel, "model_type"),
    Case("vit", "is_encoder_decoder", "true", .unsupportedModel, "is_encoder_decoder"),
    Case("vit", "per_layer_config", #"{"0": {"hidden_act": "relu"}}"#, .unsupportedModel, "per_layer_config"),
    Case("clip", "text_config.something_new", "1", .unsupportedModel, "text_config: the unknown key"),
    Case("siglip", "vision_config.something_new", "1", .unsupportedModel, "vision_config: the unknown key"),
    Case("mobilenetv2-timm", "drop_rate", "0.5", .unsupportedModel, "drop_rate"),
    Case("convnext", "something_new", "1", .unsupportedModel, "something_new"),
    Case("convnext", "model_type", #""convnextv2""#, .unsupportedModel, "model_type"),
    Case("dinov2", "something_new", "1", .unsupportedModel, "something_new"),
    Case("dinov2", "architectures", #"["Dinov2Backbone"]"#, .unsupportedModel, "Dinov2Backbone"),
    Case("dinov2", "model_type", #""dinov2_with_registers""#, .unsupportedModel, "model_type"),
    Case("dinov2", "num_register_tokens", "4", .unsupportedModel, "num_register_tokens"),
    Case("dinov2", "mlp_ratio", "3", .malformedModel, "mlp.fc1.weight"),
    Case("dinov2", "mlp_ratio", "0", .configuration, "mlp_ratio"),
    Case("dinov2", "intermediate_size", "48", .unsupportedModel, "intermediate_size"),
    Case("dinov2", "use_swiglu_ffn", "true", .malformedModel, "mlp.weights_in.weight"),
    Case("dinov2", "hidden_act", #""mish""#, .unsupportedModel, "hidden_act"),
    Case("dinov2", "head_dim", "8", .unsupportedModel, "head_dim"),
    Case("dinov2", "patch_size", "[8, 4]", .unsupportedModel, "patch_size"),
    Case("dinov2", "image_size", "48", .malformedModel, "position_embeddings"),
    Case("dinov2", "image_size", "[80, 16]", .configuration, "a square number of patches"),
    Case("dinov2-swiglu", "use_swiglu_ffn", "false", .malformedModel, "mlp.fc1.weight"),
    Case("dinov2-swiglu", "mlp_ratio", "3", .malformedModel, "mlp.weights_in.weight"),
    Case("dinov2-classifier", "id2label", #"{"0": "a", "1": "b"}"#, .malformedModel, "classifier.weight"),
    Case("dinov2-registers", "num_register_tokens", "3", .malformedModel, "register_tokens"),
    Case("dinov2-registers", "num_register_tokens", "0", .malformedModel, "register_tokens"),
    Case("dinov2-registers", "num_register_tokens", "-1", .configuration, "num_register_tokens"),
    Case("dinov2-registers", "use_mask_token", "true", .unsupportedModel, "use_mask_token"),
    Case("dinov2-registers-classifier", "num_register_tokens", nil, .malformedModel, "register_tokens"),
    Case("clip-text", "model_type", #""clip""#, .unsupportedModel, "model_type"),
    Case("clip-vision", "something_new", "1", .unsupportedModel, "something_new"),
    Case("siglip-text", "something_new", "1", .unsupportedModel, "something_new"),
    Case("siglip-vision", "model_type", #""siglip2_vision_model""#, .unsupportedModel, "model_type"),
    Case("bert-classifier", "model_type", #""roberta""#, .unsupportedModel, "model_type"),
    Case("bert-classifier", "embedding_size", "8", .unsupportedModel, "embedding_size"),
    Case("distilbert-classifier", "hidden_size", "8", .unsupportedModel, "hidden_size"),
    Case(
      "bert-classifier", "quantization_config", #"{"quant_method": "gptq"}"#, .unsupportedModel,
      "quant_method"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"config_groups": {"group_0": {"weights": {"num_bits": 8, "symmetric": false}}}}"#, .unsupportedModel,
      "symmetric"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"config_groups": {"group_0": {"input_activations": {"num_bits": 8}, "weights": {}}}}"#,
      .unsupportedModel, "input_activations"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 3}}}}"#,
      .unsupportedModel,
      "num_bits"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float"}}}}"#,
      .unsupportedModel,
      "type"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "group", "group_size": 0}}}}"#,
      .configuration,
      "group_size"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "group"}}}}"#,
      .configuration,
      "group_size"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "channel", "group_size": 32}}}}"#,
      .unsupportedModel,
      "group_size"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "block"}}}}"#,
      .unsupportedModel,
      "strategy"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "tensor", "symmetric": false}}}}"#,
      .unsupportedModel,
      "symmetric"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "group", "group_size": 32, "actorder": "group"}}}}"#,
      .unsupportedModel,
      "actorder"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "strategy": "group", "group_size": 32, "dynamic": true}}}}"#,
      .unsupportedModel,
      "dynamic"),
    Case(
      "bert-classifier", "quantization_config",
      #"{"format": "mixed-precision", "config_groups": {"group_0": {"weights": {"num_bits": 4}}}}"#,
      .unsupportedModel, "format"),
    Case(
      "clip", "text_config.quantization_config",
      #"{"format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4}}}}"#,
      .unsupportedModel, "format"),
    Case(
      "bert-sentence", "something_new", "1", .unsupportedModel, "something_new", file: "1_Pooling/config.json"
    ),
    Case(
      "bert-sentence", "config_args", #"{"hidden_act": "relu"}"#, .unsupportedModel, "config_args",
      file: "sentence_bert_config.json"),
    Case(
      "bert-sentence", "something_new", "1", .unsupportedModel, "something_new",
      file: "sentence_bert_config.json"),
  ]

  @Test(
    arguments: refused + ModernBERTCases.refused + DeBERTaCases.refused + SwinCases.refused
      + EfficientNetCases.refused + TimmViTCases.refused + Qwen3Cases.refused + RotaryBERTCases.refused)
  func isRefused(_ this: Case) throws {
    let folder = try EditedFolder(this)
    let error = try #require(throws: ApusError.self) { try build(ModelFolder(folder.path)) }
    #expect(error.kind == this.kind, "\(error)")
    #expect("\(error)".contains(this.says), "\(error)")
    #expect("\(error)".contains(folder.path), "\(error)")
  }

  static let accepted: [Case] =
    [
      Case("vit", "hidden_dropout_prob", "0.5", .configuration, ""),
      Case("vit", "hidden_size", "24.0", .configuration, ""),
      Case("vit", "image_size", "[24, 24]", .configuration, ""),
      Case("vit", "torch_dtype", #""float16""#, .configuration, ""),
      Case("vit", "problem_type", "null", .configuration, ""),
      Case("bert-classifier", "position_embedding_type", #""absolute""#, .configuration, ""),
      Case("siglip", "text_config.projection_size", nil, .configuration, ""),
      Case("mpnet", "pad_token_id", "7", .configuration, ""),
      Case("bert-sentence", "architectures", nil, .configuration, ""),
      Case("bert-sentence", "architectures", "null", .configuration, ""),
      Case("bert-sentence", "architectures", "[]", .configuration, ""),
      Case("bert-sentence", "cell", "{}", .configuration, ""),
      Case("bert-sentence", "emb_size", "312", .configuration, ""),
      Case("bert-sentence", "vocab_size_or_config_json_file", "50265", .configuration, ""),
      Case("deberta", "architectures", nil, .configuration, ""),
      Case("clip", "architectures", nil, .configuration, ""),
      Case("dinov2", "_out_features", #"["stage1"]"#, .configuration, ""),
      Case("dinov2", "_out_indices", "[1]", .configuration, ""),
      Case("swin", "patch_norm", "true", .configuration, ""),
      Case("dinov2", "image_size", "[200, 8]", .configuration, ""),
      Case("dinov2", "out_features", #"["stage1"]"#, .configuration, ""),
      Case("dinov2", "apply_layernorm", "false", .configuration, ""),
      Case("dinov2", "layerscale_value", "0.00001", .configuration, ""),
      Case("dinov2", "drop_path_rate", "0.5", .configuration, ""),
      Case("dinov2", "use_mask_token", "false", .configuration, ""),
      Case("dinov2", "mlp_ratio", "2.0", .configuration, ""),
      Case("dinov2-swiglu", "hidden_act", #""mish""#, .configuration, ""),
      Case("dinov2-registers", "num_register_tokens", nil, .configuration, ""),
      Case("dinov2-registers", "interpolate_antialias", "true", .configuration, ""),
      Case("dinov2-registers", "interpolate_offset", "0.0", .configuration, ""),
      Case("mpnet", "relative_attention_num_buckets", nil, .configuration, ""),
      Case("resnet", "downsample_in_bottleneck", "true", .configuration, ""),
      Case("resnet", "out_features", #"["stem"]"#, .configuration, ""),
      Case("resnet", "image_size", "64", .configuration, ""),
      Case("resnet-bottleneck", "layer_type", nil, .configuration, ""),
      Case("resnet-bottleneck", "hidden_act", nil, .configuration, ""),
      Case("resnet-timm", "architecture", #""resnet50.a1_in1k""#, .configuration, ""),
      Case("resnet-timm", "model_args", "{}", .configuration, ""),
      Case("beit", "use_mask_token", "true", .configuration, ""),
      Case("beit", "image_size", "[40, 40]", .configuration, ""),
      Case("beit", "image_size", "47", .configuration, ""),
      Case("beit", "drop_path_rate", "0.5", .configuration, ""),
      Case("beit", "use_auxiliary_head", "false", .configuration, ""),
      Case("beit", "segmentation_indices", "[3, 5, 7, 11]", .configuration, ""),
      Case("electra", "summary_type", #""mean""#, .configuration, ""),
      Case("electra", "summary_use_proj", "false", .configuration, ""),
      Case("electra", "architectures", #"["ElectraForMaskedLM"]"#, .configuration, ""),
      Case("electra", "architectures", #"["ElectraModel"]"#, .configuration, ""),
      Case("albert", "architectures", #"["AlbertForMaskedLM"]"#, .configuration, ""),
      Case("albert", "architectures", #"["AlbertForPreTraining"]"#, .configuration, ""),
      Case("bert-sentence", "architectures", #"["BertForPreTraining"]"#, .configuration, ""),
      Case("albert", "num_hidden_groups", "1", .configuration, ""),
      Case("albert", "num_hidden_layers", "12", .configuration, ""),
      Case("albert", "net_structure_type", "0", .configuration, ""),
      Case("albert", "down_scale_factor", "1", .configuration, ""),
      Case("bert-reranker", "sentence_transformers", nil, .configuration, ""),
      Case("bert-classifier", "sbert_ce_default_activation_function", "null", .configuration, ""),
      Case("clip", "vision_config_dict", "null", .configuration, ""),
      Case("bert-sentence", "include_prompt", "false", .configuration, "", file: "1_Pooling/config.json"),
      Case(
        "open-clip", "model_cfg.vision_cfg.patch_dropout", "0.5", .configuration, "",
        file: "open_clip_config.json"),
      Case(
        "bert-classifier", "quantization_config",
        #"""
        {"quant_method": "compressed-tensors", "format": "int-quantized", "ignore": ["classifier"],
         "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": null,
         "weights": {"num_bits": 8, "type": "int", "symmetric": true, "strategy": "channel", "dynamic": false}}}}
        """#, .configuration, ""),
    ]
    + [
      "vit", "deit", "mobilenetv2", "bert-classifier", "distilbert-classifier", "roberta-classifier",
      "xlm-roberta-classifier", "bert-sentence", "clip", "clip-text", "clip-vision", "clip-vision-projection",
      "siglip", "siglip-text",
      "siglip-vision", "convnext", "mpnet", "mpnet-classifier", "dinov2", "dinov2-registers-classifier",
      "electra", "electra-classifier", "albert", "albert-classifier", "deberta", "deberta-classifier",
      "resnet", "beit", "swin",
    ].flatMap { family in written.map { Case(family, $0.key, $0.value, .configuration, "") } }

  /// What versions of transformers wrote into every folder.
  private static let written: KeyValuePairs = [
    "_name_or_path": #""bert-base-uncased""#, "transformers_version": #""4.6.1""#, "use_cache": "true",
    "gradient_checkpointing": "false", "initializer_range": "0.02", "initializer_factor": "1.0",
    "torch_dtype": #""float32""#, "dtype": #""float32""#, "return_dict": "true", "output_attentions": "false",
    "output_hidden_states": "false", "torchscript": "false", "use_bfloat16": "false", "pruned_heads": "{}",
    "tie_word_embeddings": "true", "is_encoder_decoder": "false", "is_decoder": "false",
    "add_cross_attention": "false", "cross_attention_hidden_size": "null", "tie_encoder_decoder": "false",
    "chunk_size_feed_forward": "0", "max_length": "20", "min_length": "0", "do_sample": "false",
    "early_stopping": "false", "num_beams": "1", "num_beam_groups": "1", "diversity_penalty": "0.0",
    "temperature": "1.0", "top_k": "50", "top_p": "1.0", "typical_p": "1.0", "repetition_penalty": "1.0",
    "length_penalty": "1.0", "no_repeat_ngram_size": "0", "encoder_no_repeat_ngram_size": "0",
    "bad_words_ids": "null", "num_return_sequences": "1", "output_scores": "false",
    "return_dict_in_generate": "false", "forced_bos_token_id": "null", "remove_invalid_values": "false",
    "exponential_decay_length_penalty": "null", "suppress_tokens": "null", "finetuning_task": #""sst-2""#,
    "task_specific_params": "null", "tokenizer_class": "null", "prefix": "null", "bos_token_id": "0",
    "eos_token_id": "2", "sep_token_id": "null", "decoder_start_token_id": "null",
    "hidden_dropout_prob": "0.1", "attention_probs_dropout_prob": "0.1", "classifier_dropout": "null",
    "attn_implementation": #""sdpa""#, "_attn_implementation_autoset": "true", "xla_device": "true",
    "eos_token_ids": "0", "_flash_attn_2_enabled": "true", "export_model_type": #""transformer""#,
    "trust_remote_code": "true", "revision": #""main""#, "_pre_quantization_dtype": #""float16""#,
    "adapters": #"{"adapters": {}, "config_map": {}, "fusion_config_map": {}, "fusions": []}"#,
  ]

  @Test(
    arguments: accepted + ModernBERTCases.accepted + DeBERTaCases.accepted + SwinCases.accepted
      + EfficientNetCases.accepted + TimmViTCases.accepted + Qwen3Cases.accepted + RotaryBERTCases.accepted)
  func makesNoDifference(_ this: Case) throws {
    let folder = try EditedFolder(this)
    try build(ModelFolder(folder.path))
  }

  /// Reads the configuration and builds every graph.
  private func build(_ folder: ModelFolder) throws(ApusError) {
    let model = try ModelArchitecture.load(folder)
    _ = try model.image?.graph(batch: 1)
    _ = try model.text?.graph(tokens: 3, sequences: 1)
  }

  /// torchvision writes none: one that names its model has the keys of timm's.
  @Test(arguments: [
    (#""num_classes": 6"#, "classifier.1"), (#""label_names": ["a", "b"]"#, "label_names"),
    (#""global_pool": "max""#, "global_pool"), (#""width_mult": 0.1"#, "width_mult"),
  ])
  func aConfigurationOfTorchvisionsModelCounts(_ keys: String, _ says: String) throws {
    let folder = try TemporaryFolder(copying: ModelFixture("mobilenetv2-torchvision").folder.path)
    try folder.write("config.json", #"{"architecture": "mobilenet_v2", \#(keys)}"#)
    let error = try #require(throws: ApusError.self) { try build(ModelFolder(folder.path)) }
    #expect("\(error)".contains(says), "\(error)")
    let names = #""num_classes": 5, "label_names": ["a", "b", "c", "d", "e"], "tag": "v2""#
    try folder.write("config.json", #"{"architecture": "mobilenet_v2", \#(names)}"#)
    try build(ModelFolder(folder.path))
    guard case .classifier(let labels, _) = try ModelArchitecture.load(ModelFolder(folder.path)).outputs
    else {
      throw ApusError(.unsupportedModel, "no classifier")
    }
    #expect(labels == ["a", "b", "c", "d", "e"])
  }

  /// As timm's save_for_hf writes a network that was made for other classes, and as folders say it whose classes are those
  /// of the weights.
  @Test func timmsClassesStandInSeveralPlaces() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("resnet-timm").folder.path)
    let trained =
      #""pretrained_cfg": {"input_size": [3, 40, 40], "num_classes": 5, "label_names": {"3": "d"}}"#
    let arguments =
      #""model_args": {"num_classes": 5, "in_chans": 3, "global_pool": "avg", "drop_rate": 0.1}"#
    for keys in [trained, "\(trained), \(arguments)", #"\#(trained), "num_classes": 5"#] {
      try folder.write("config.json", #"{"architecture": "resnet50", \#(keys)}"#)
      try build(ModelFolder(folder.path))
      guard case .classifier(let labels, _) = try ModelArchitecture.load(ModelFolder(folder.path)).outputs
      else {
        throw ApusError(.unsupportedModel, "no classifier")
      }
      #expect(labels == ["0", "1", "2", "d", "4"])
    }
  }

  /// How many filters the first convolution would have, nothing says.
  @Test func aMissingConvolutionIsNamedByWhatIsKnownOfIt() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("mobilenetv2-timm").folder.path)
    try folder.write("model.safetensors", SafetensorsBuilder.file([("x", "U8", [1], [7])]))
    let error = try #require(throws: ApusError.self) { try build(ModelFolder(folder.path)) }
    #expect(error.expected == "one of shape [filters, 3, 3, 3]", "\(error)")
    #expect(error.location == "tensor 'conv_stem.weight'")
  }

  @Test(arguments: ["bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"])
  func theSettingsOfTheModuleTransformerHaveSevenNames(_ name: String) throws {
    let folder = try EditedFolder(copying: "bert-sentence")
    let file = "\(folder.path)/sentence_bert_config.json"
    try FileManager.default.removeItem(atPath: file)
    let text = #"{"max_seq_length": 7, "do_lower_case": true}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/sentence_\(name)_config.json"))
    let model = try ModelArchitecture.load(ModelFolder(folder.path))
    #expect(model.textPreparation.maximumTokens == 7)
    #expect(model.textPreparation.lowercases)
  }

  /// Only where there is one do a prompt's tokens come into the mean.
  @Test func aPromptThatPoolingLeavesOutIsRefused() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("bert-sentence").folder.path)
    try folder.write("1_Pooling/config.json", #"{"pooling_mode": "mean", "include_prompt": false}"#)
    #expect(try ModelArchitecture.load(ModelFolder(folder.path)).text != nil)
    try folder.write(
      "config_sentence_transformers.json", #"{"default_prompt_name": "q", "prompts": {"q": "query: "}}"#)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .unsupportedModel && "\(error)".contains("include_prompt"), "\(error)")
  }

  @Test func aPromptCountsBesideModulesAlone() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("bert-sentence").folder.path)
    try folder.write(
      "config_sentence_transformers.json", #"{"default_prompt_name": "q", "prompts": {"q": "query: "}}"#)
    #expect(try ModelArchitecture.load(ModelFolder(folder.path)).textPreparation.prompt == "query: ")
    try FileManager.default.removeItem(atPath: "\(folder.path)/modules.json")
    #expect(try ModelArchitecture.load(ModelFolder(folder.path)).textPreparation.prompt.isEmpty)
  }

  @Test(arguments: [
    (#"[{"type": "sentence_transformers.models.Transformer", "path": ""}]"#, "the modules Transformer"),
    (#"[{"type": "sentence_transformers.models.Transformer", "path": "", "new": 1}, POOLING]"#, "'new'"),
    (#"[{"type": "mine.Transformer", "path": ""}, POOLING]"#, "mine.Transformer"),
    (#"[POOLING, {"type": "sentence_transformers.models.Transformer", "path": ""}]"#, "Pooling, Transformer"),
  ])
  func otherModulesAreRefused(_ text: String, _ says: String) throws {
    let folder = try EditedFolder(copying: "bert-sentence")
    let pooling = #"{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}"#
    let bytes = Data(text.replacing("POOLING", with: pooling).utf8)
    try bytes.write(to: URL(fileURLWithPath: "\(folder.path)/modules.json"))
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .unsupportedModel)
    #expect("\(error)".contains(says), "\(error)")
  }

  /// Older versions of the library put the model into the folder of its module.
  @Test func aModelMayLieInTheFolderOfItsModule() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("bert-sentence").folder.path)
    let flat = try ModelArchitecture.load(ModelFolder(folder.path))
    let inner = "\(folder.path)/0_Transformer"
    try folder.write(
      "config_sentence_transformers.json", #"{"default_prompt_name": "q", "prompts": {"q": "q: "}}"#)
    try folder.write(
      "modules.json",
      #"""
      [{"type": "sentence_transformers.models.Transformer", "path": "0_Transformer"},
      {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}]
      """#)
    let absent = try #require(throws: ApusError.self) { try ModelFolder(folder.path) }
    #expect(absent.kind == .file && absent.file == inner)
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    for name in ["config.json", "model.safetensors", "sentence_bert_config.json", "tokenizer.json"] {
      try FileManager.default.moveItem(atPath: "\(folder.path)/\(name)", toPath: "\(inner)/\(name)")
    }
    let opened = try ModelFolder(folder.path)
    #expect(opened.path == inner && opened.isInside && opened.outer.path == folder.path)
    let model = try ModelArchitecture.load(opened)
    #expect(model.textPreparation.maximumTokens == flat.textPreparation.maximumTokens)
    #expect(model.textPreparation.prompt == "q: ")
  }

  @Test func thePromptsOfQueriesAndDocumentsAreEmptyWhereNothingIsSaid() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("bert-sentence").folder.path)
    let name = "config_sentence_transformers.json"
    for prompts in ["{}", "null", #"{"query": null}"#] {
      try folder.write(name, #"{"default_prompt_name": "query", "prompts": \#(prompts)}"#)
      #expect(try ModelArchitecture.load(ModelFolder(folder.path)).textPreparation.prompt.isEmpty)
    }
    try folder.write(name, #"{"default_prompt_name": "passage", "prompts": {"query": "q: "}}"#)
    #expect(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
  }

  @Test(arguments: [
    "{}", #"{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": false}"#,
    #"{"pooling_mode_cls_token": null}"#,
  ])
  func poolingThatChoosesNothingIsTheMean(_ options: String) throws {
    let folder = try TemporaryFolder(copying: ModelFixture("bert-sentence-cls").folder.path)
    try folder.write("1_Pooling/config.json", options)
    #expect(try SentenceTransformer(ModelFolder(folder.path)).pooling == .mean)
  }

  /// Every byte of a configuration replaced by another: an error or a model, never a crash.
  @Test(arguments: [
    ("vit", "config.json"), ("clip", "config.json"), ("siglip", "config.json"),
    ("bert-classifier", "config.json"), ("distilbert-classifier", "config.json"),
    ("mobilenetv2-timm", "config.json"), ("open-clip", "open_clip_config.json"), ("mpnet", "config.json"),
    ("dinov2-registers", "config.json"), ("electra", "config.json"), ("albert", "config.json"),
    ("resnet-bottleneck", "config.json"), ("resnet-timm", "config.json"), ("beit", "config.json"),
    ("swin", "config.json"),
    ("modernbert-cls", "config.json"), ("modernbert-classifier", "config.json"),
    ("deberta", "config.json"), ("deberta-convolution", "config.json"),
    ("mobilenetv3-timm", "config.json"), ("efficientnet-timm", "config.json"),
    ("vit-timm-gated", "config.json"), ("vit-timm-dynamic", "config.json"),
    ("bert-sentence", "modules.json"), ("bert-sentence", "1_Pooling/config.json"),
  ])
  func aDamagedByteNeverCrashes(_ fixture: String, _ file: String) throws {
    var random = SeededRandom(seed: 20_261_121)
    let folder = try EditedFolder(copying: fixture)
    let path = "\(folder.path)/\(file)"
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let replacements = Array("0123456789-{}[]\",.aet ".utf8)
    for position in whole.indices {
      var bytes = whole
      bytes[position] = replacements.randomElement(using: &random) ?? 0
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try? build(ModelFolder(folder.path))
    }
  }

  @Test
  func aPictureOfTooManyPatchesIsRefused() throws {
    for size in [ImageSize(height: 1 << 30, width: 8), ImageSize(height: 1 << 20, width: 1 << 20)] {
      let folder = try ModelFixture("vit").folder
      let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(folder, imageSize: size) }
      #expect("\(error)".contains("patches"), "\(error)")
    }
  }

  @Test
  func textsThatDoNotFitAreRefused() throws {
    let sigLIP = try #require(try ModelArchitecture.load(ModelFixture("siglip").folder).text)
    let clip = try #require(try ModelArchitecture.load(ModelFixture("clip").folder).text)
    let wrong: [(any TextTower, [[Int32]])] = [
      (sigLIP, [[5, 1]]), (clip, []), (clip, [[]]), (clip, [[Int32](repeating: 5, count: 21)]),
    ]
    for (tower, texts) in wrong {
      let error = try #require(throws: ApusError.self) { try tower.inputs(texts) }
      #expect(error.kind == .argument)
    }
  }

  @Test
  func tokensThatTheVocabularyLacksAreRefusedByTheRun() throws {
    let fixture = try ModelFixture("bert-classifier")
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    for id: Int32 in [-1, 5000, .max] {
      #expect(throws: ApusError.self) { try ModelFixture.run(tower, [[2, id, 3]]) }
    }
  }
}

/// A copy of a fixture's folder with one value of its configuration changed.
private struct EditedFolder {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init(copying fixture: String) throws {
    folder = try TemporaryFolder(copying: ModelFixture(fixture).folder.path)
  }

  init(_ this: ConfigurationTests.Case) throws {
    try self.init(copying: this.fixture)
    let file = URL(fileURLWithPath: folder.path).appendingPathComponent(this.file)
    let value = try this.value.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
    }
    let old = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let new = Self.edit(old, this.key.split(separator: ".")[...], value)
    try JSONSerialization.data(withJSONObject: new).write(to: file)
  }

  private static func edit(_ object: Any, _ path: ArraySlice<Substring>, _ value: Any?) -> Any {
    guard var members = object as? [String: Any], let key = path.first.map(String.init) else { return object }
    members[key] = path.count == 1 ? value : edit(members[key] ?? [:], path.dropFirst(), value)
    return members
  }
}
