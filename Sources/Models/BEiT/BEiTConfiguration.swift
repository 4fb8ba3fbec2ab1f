import Formats
import Graph
import TensorCore

/// The `config.json` of a BEiT classifier of Hugging Face.
struct BEiTConfiguration: Sendable {
  let encoder: EncoderConfiguration
  let grid: PatchGrid
  /// Whether learned positions are added to the tokens.
  let hasPositions: Bool
  /// Whether each layer has a table of what attention adds by where patches lie.
  let hasOwnBias: Bool
  /// Whether all layers have one in common.
  let hasSharedBias: Bool
  /// Whether each feature of a layer's two results is multiplied by a factor.
  let scalesLayers: Bool
  /// Whether the mean of the patches is classified; else the class token is.
  let averagesPatches: Bool
  let classes: ClassConfiguration

  /// Tokens of one picture.
  var length: Int { 1 + grid.count }

  /// Bytes that the numbers by position of all layers may take.
  private static let biasLimit = 1 << 32

  /// - Parameter imageSize: the extent of the pictures that will be given; nil for that of the file.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    encoder = try EncoderConfiguration(reader)
    let size = try reader.imageSize(default: 224)
    // Of any other form the library's versions make other numbers.
    guard size.height == size.width else {
      throw reader.unexpected(
        "image_size", reader.value("image_size"), "a square", kind: .unsupportedModel)
    }
    guard imageSize == nil || imageSize == size else {
      throw ApusError(
        .argument, "pictures of another size for a BEiT", expected: "\(size)", file: reader.file)
    }
    grid = try PatchGrid(
      image: size, patch: try reader.patchSize(default: 16),
      channels: try reader.integer("num_channels", in: 1...4, default: 3))
    hasPositions = try reader.bool("use_absolute_position_embeddings", default: false)
    hasOwnBias = try reader.bool("use_relative_position_bias", default: false)
    hasSharedBias = try reader.bool("use_shared_relative_position_bias", default: false)
    scalesLayers = try reader.number("layer_scale_init_value", default: 0.1) > 0
    averagesPatches = try reader.bool("use_mean_pooling", default: true)
    classes = try ClassConfiguration(reader)
    reader.passOver(Self.keysWithoutEffect)
    let tables = hasOwnBias ? encoder.layers : hasSharedBias ? 1 : 0
    guard [tables, encoder.heads, length, length, 4].saturatingProduct <= Self.biasLimit else {
      throw reader.unexpected(
        "image_size", reader.value("image_size"),
        "fewer patches: attention has a number for each pair of them")
    }
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect("training and initialisation", ["drop_path_rate"]),
    KeysWithoutEffect("patches that are masked, as in training alone", ["use_mask_token", "vocab_size"]),
    KeysWithoutEffect(
      "maps of segments, which a classifier makes none of",
      [
        "auxiliary_channels", "auxiliary_concat_input", "auxiliary_loss_weight", "auxiliary_num_convs",
        "pool_scales", "segmentation_indices", "semantic_loss_ignore_index", "use_auxiliary_head",
      ]),
    KeysWithoutEffect(
      "which layers a backbone returns, and in which form",
      TransformersKeys.backbone.union(["add_fpn", "reshape_hidden_states"])),
  ]
}
