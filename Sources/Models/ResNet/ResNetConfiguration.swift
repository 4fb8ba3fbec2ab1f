import Formats
import Graph
import TensorCore

/// The `config.json` of a ResNet classifier of Hugging Face.
struct ResNetConfiguration: Sendable {
  let layout: ResNetLayout
  let channels: Int
  let classes: ClassConfiguration

  /// Blocks that a network may have, at most.
  private static let blockLimit = 1024

  init(_ reader: ConfigurationReader) throws(ApusError) {
    channels = try reader.integer("num_channels", in: 1...4, default: 3)
    layout = .huggingFace(
      stem: try reader.size("embedding_size", default: 64), stages: try Self.stages(reader),
      activation: try reader.activation("hidden_act", default: .relu))
    classes = try ClassConfiguration(reader)
    reader.passOver([
      KeysWithoutEffect(
        "which stages a backbone returns: a classifier has the last",
        TransformersKeys.backbone),
      KeysWithoutEffect("the extent of pictures, which the image processor decides", ["image_size"]),
    ])
  }

  private static func stages(_ reader: ConfigurationReader) throws(ApusError) -> [ResNetLayout.Stage] {
    let widths = try reader.stageSizes("hidden_sizes", default: [256, 512, 1024, 2048])
    let blocks = try reader.stageSizes("depths", default: [3, 4, 6, 3])
    guard widths.count == blocks.count, blocks.reduce(0, +) <= blockLimit else {
      throw reader.unexpected(
        "depths", reader.value("depths"), "as many as hidden_sizes, \(blockLimit) together at most")
    }
    let kind = try reader.choice(
      "layer_type", ["basic": ResNetLayout.Kind.basic, "bottleneck": .bottleneck], default: .bottleneck)
    let shrinksFirst = try reader.bool("downsample_in_first_stage", default: false)
    let shrinksEarly = try reader.bool("downsample_in_bottleneck", default: false)
    guard kind == .basic || widths.allSatisfy({ $0 >= ResNetLayout.reduction }) else {
      throw reader.unexpected(
        "hidden_sizes", reader.value("hidden_sizes"), "at least \(ResNetLayout.reduction) with bottlenecks")
    }
    return zip(widths, blocks).enumerated().map { index, sizes in
      ResNetLayout.Stage(
        kind: kind, width: sizes.0, blocks: sizes.1, stride: index > 0 || shrinksFirst ? 2 : 1,
        shrinksEarly: shrinksEarly)
    }
  }
}

extension HuggingFaceArchitecture {
  static let resNet = [
    HuggingFaceArchitecture("ResNetForImageClassification", "resnet", "ResNet", .imageClassification) {
      (reader, imageSize) throws(ApusError) in
      let configuration = try ResNetConfiguration(reader)
      // config.json says no extent; published models were trained at this one.
      let size = imageSize ?? ImageSize(height: 224, width: 224)
      return { (weights, _) in
        let network = ResNet(
          layout: configuration.layout, imageSize: size, channels: configuration.channels,
          classCount: configuration.classes.count, weights: weights)
        return ModelArchitecture(image: network, outputs: configuration.classes.outputs)
      }
    }
  ]
}
