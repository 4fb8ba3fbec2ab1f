import Formats
import Graph
import TensorCore

/// The `config.json` of a ConvNeXt classifier of Hugging Face.
struct ConvNeXtConfiguration: Sendable {
  /// Blocks that work at one resolution.
  struct Stage: Sendable {
    let width: Int
    let blocks: Int
  }

  let stages: [Stage]
  /// The side of the square patches that become the first stage's rows, in pixels.
  let patch: Int
  let image: ImageSize
  let channels: Int
  let activation: Activation
  /// The ε of the normalisation before the classifier; all others have 1e-6.
  let epsilon: Float
  /// Whether each block's result is multiplied by a factor for each channel.
  let scalesBlocks: Bool
  let classes: ClassConfiguration

  /// - Parameter imageSize: the extent of the pictures that will be given; nil for that of the file.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    let widths = try reader.stageSizes("hidden_sizes", default: [96, 192, 384, 768])
    let blocks = try reader.stageSizes("depths", default: [3, 3, 9, 3])
    let count = try reader.size("num_stages", default: 4)
    guard widths.count == count, blocks.count == count else {
      throw reader.unexpected("num_stages", reader.value("num_stages"), "as many as hidden_sizes and depths")
    }
    stages = zip(widths, blocks).map { Stage(width: $0, blocks: $1) }
    patch = try reader.patchSize(default: 4)
    let stated = try reader.imageSize(default: 224)
    image = imageSize ?? stated
    channels = try reader.integer("num_channels", in: 1...4, default: 3)
    activation = try reader.activation("hidden_act", default: .gelu(.exact))
    epsilon = try reader.epsilon(default: 1e-12)
    scalesBlocks = try reader.number("layer_scale_init_value", default: 1e-6) > 0
    classes = try ClassConfiguration(reader)
    reader.passOver([
      KeysWithoutEffect("training and initialisation", ["drop_path_rate"]),
      KeysWithoutEffect(
        "which stages a backbone returns: a classifier has the last",
        TransformersKeys.backbone),
    ])
    let shrinking = patch << min(count - 1, 32)
    guard image.height >= shrinking, image.width >= shrinking else {
      throw reader.unexpected(
        "image_size", reader.value("image_size"), "at least \(shrinking) pixels for \(count) stages")
    }
  }
}
