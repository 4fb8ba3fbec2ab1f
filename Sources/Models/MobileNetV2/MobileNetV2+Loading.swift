import Formats
import TensorCore

extension HuggingFaceArchitecture {
  static let mobileNetV2 = [
    HuggingFaceArchitecture(
      "MobileNetV2ForImageClassification", "mobilenet_v2", "MobileNetV2", .imageClassification
    ) { (reader, imageSize) throws(ApusError) in
      let layout = try MobileNetV2Layout.huggingFace(reader)
      let classes = try ClassConfiguration(reader)
      let size = try reader.imageSize(default: 224)
      return { (weights, _) in
        let network = MobileNetV2(
          layout: layout, imageSize: imageSize ?? size, classCount: classes.count, weights: weights)
        return ModelArchitecture(image: network, outputs: classes.outputs)
      }
    }
  ]
}

extension ModelArchitecture {
  /// timm's `mobilenetv2_…`.
  static func timmMobileNetV2(
    _ reader: ConfigurationReader, _ weights: WeightPath, imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let configuration = try TimmConfiguration(reader)
    let counts = (0..<7).map { weights["blocks"].count(of: "\($0)") }
    let network = MobileNetV2(
      layout: .timm(counts: counts), imageSize: imageSize ?? configuration.imageSize,
      classCount: configuration.classCount, weights: weights)
    return ModelArchitecture(
      image: network, outputs: .classifier(labels: configuration.labels, scoring: .softmax))
  }

  /// torchvision's `mobilenet_v2`, whose files come without a configuration; one that names it says what timm's do.
  static func torchvisionMobileNetV2(
    _ weights: WeightPath, describedBy reader: ConfigurationReader? = nil, imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let classifier = weights["classifier.1"]
    guard let classes = classifier.shape(of: "bias")?.first else {
      throw classifier.missing("bias", "a number for each class")
    }
    let configuration = try reader.map { (reader) throws(ApusError) in
      try TimmConfiguration(reader, classes: classes)
    }
    let trained = configuration?.imageSize ?? ImageSize(height: 224, width: 224)
    let network = MobileNetV2(
      layout: .torchvision, imageSize: imageSize ?? trained, classCount: configuration?.classCount ?? classes,
      weights: weights)
    return ModelArchitecture(
      image: network, outputs: .classifier(labels: configuration?.labels, scoring: .softmax))
  }
}

extension MobileNetV2Layout {
  /// What `config.json` says about the layers.
  static func huggingFace(_ reader: ConfigurationReader) throws(ApusError) -> MobileNetV2Layout {
    try reader.require("hidden_act", isOneOf: .string("relu6"))
    try reader.require("output_stride", isOneOf: .number("32"))
    try reader.require("first_layer_is_expansion", isOneOf: .bool(true))
    try reader.require("num_channels", isOneOf: .number("3"))
    reader.passOver(keysWithoutEffect)
    return .huggingFace(
      epsilon: try reader.number("layer_norm_eps", in: 0...1, default: 0.001),
      padsLikeTensorFlow: try reader.bool("tf_padding", default: true))
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect(
      "the channels of layers, which the weights have",
      ["depth_multiplier", "depth_divisible_by", "min_depth", "expand_ratio", "finegrained_output"]),
    KeysWithoutEffect("training and initialisation", ["semantic_loss_ignore_index"]),
  ]
}
