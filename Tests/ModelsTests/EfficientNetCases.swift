/// Changes of the `config.json` of timm's MobileNetV3 and EfficientNet for ``ConfigurationTests``.
enum EfficientNetCases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = names + keys

  private static let names: [Case] = [
    Case("mobilenetv3-timm", "architecture", #""mobilenetv3_rw""#, .unsupportedModel, "mobilenetv3_rw"),
    Case("mobilenetv3-timm", "architecture", #""mobilenetv4_conv_small""#, .unsupportedModel, "mobilenetv4"),
    Case("mobilenetv3-timm", "architecture", #""mobilenetv3_small_60""#, .unsupportedModel, "small_60"),
    Case(
      "mobilenetv3-timm", "architecture", #""mobilenetv3_large_100""#, .malformedModel,
      "the 7 of mobilenetv3_large_100"),
    Case(
      "mobilenetv3-timm", "architecture", #""tf_mobilenetv3_small_minimal_100""#, .malformedModel,
      "a squeeze-and-excitation in blocks.0.0"),
    Case(
      "mobilenetv3-timm-large", "architecture", #""mobilenetv3_large_150d""#, .malformedModel,
      "the 2 of mobilenetv3_large_150d"),
    Case(
      "mobilenetv3-timm-minimal", "architecture", #""mobilenetv3_large_100""#, .malformedModel,
      "blocks.2.0.conv_dw.weight"),
    Case("efficientnet-timm", "architecture", #""efficientnet_b0_gn""#, .unsupportedModel, "b0_gn"),
    Case("efficientnet-timm", "architecture", #""efficientnet_es""#, .unsupportedModel, "efficientnet_es"),
    Case(
      "efficientnet-timm", "architecture", #""tf_efficientnetv2_s""#, .unsupportedModel, "efficientnetv2_s"),
    Case("efficientnet-timm", "architecture", #""efficientnet_b1""#, .malformedModel, "the 2 of"),
    Case(
      "efficientnet-timm", "architecture", #""efficientnet_lite0""#, .malformedModel,
      "a squeeze-and-excitation in blocks.0.0"),
    Case("efficientnet-timm-lite", "architecture", #""efficientnet_lite0""#, .malformedModel, "blocks.1"),
    Case("efficientnet-timm-lite", "architecture", #""efficientnet_b1""#, .malformedModel, "blocks.0"),
  ]

  private static let keys: [Case] = [
    Case("mobilenetv3-timm", "something_new", "1", .unsupportedModel, "something_new"),
    Case("mobilenetv3-timm", "global_pool", #""max""#, .unsupportedModel, "global_pool"),
    Case("mobilenetv3-timm", "num_classes", "6", .configuration, "label_names"),
    Case("mobilenetv3-timm", "model_args", #"{"act_layer": "relu"}"#, .unsupportedModel, "act_layer"),
    Case("mobilenetv3-timm", "model_args", #"{"head_bias": false}"#, .unsupportedModel, "head_bias"),
    Case("mobilenetv3-timm", "model_args", #"{"in_chans": 1}"#, .unsupportedModel, "model_args.in_chans"),
    Case("efficientnet-timm", "pretrained_cfg.label_offset", "1", .unsupportedModel, "label_offset"),
    Case("efficientnet-timm", "model_args", #"{"bn_eps": 0.001}"#, .unsupportedModel, "bn_eps"),
    Case("efficientnet-timm", "model_args", #"{"pad_type": "same"}"#, .unsupportedModel, "pad_type"),
    Case("efficientnet-timm", "model_args", #"{"output_stride": 16}"#, .unsupportedModel, "output_stride"),
    Case("efficientnet-timm", "model_args", #"{"num_classes": 4}"#, .configuration, "num_classes"),
  ]

  static let accepted: [Case] = [
    // They differ in how wide they are, which the weights say.
    Case("mobilenetv3-timm", "architecture", #""mobilenetv3_small_100.lamb_in1k""#, .configuration, ""),
    Case("efficientnet-timm-lite", "architecture", #""efficientnet_lite2""#, .configuration, ""),
    Case(
      "efficientnet-timm", "model_args", #"{"drop_rate": 0.2, "drop_path_rate": 0.2}"#, .configuration, ""),
    Case("efficientnet-timm", "num_features", "1280", .configuration, ""),
    Case("efficientnet-timm", "pretrained_cfg.test_input_size", "[3, 256, 256]", .configuration, ""),
  ]
}
