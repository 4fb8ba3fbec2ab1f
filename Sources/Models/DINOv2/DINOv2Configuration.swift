import Formats
import Graph
import TensorCore

/// The `config.json` of a DINOv2 of Hugging Face, with register tokens or without.
struct DINOv2Configuration: Sendable {
  /// The model type, whose name stands before those of a classifier's tensors.
  enum Family: String, Sendable {
    case plain = "dinov2"
    case withRegisters = "dinov2_with_registers"
  }

  let family: Family
  let encoder: EncoderConfiguration
  /// Whether the projections to queries, keys and values have offsets.
  let hasProjectionBias: Bool
  /// Whether the first linear layer after attention is two, one above the other: SwiGLU.
  let isGated: Bool
  /// The grid that the position embeddings were trained for.
  let trained: PatchGrid
  /// The grid of the pictures that will be given.
  let grid: PatchGrid
  /// Tokens between the class token and the patches, which have no positions.
  let registers: Int

  /// Tokens of one picture.
  var length: Int { 1 + registers + grid.count }

  /// How positions are interpolated; nil where they are taken as they are stored, for square pictures of as many
  /// patches.
  var filter: CubicFilter? {
    let isSquare = grid.image.height == grid.image.width
    if isSquare, grid.count == trained.count { return nil }
    return family == .plain ? .plain : .antialiased
  }

  /// - Parameter imageSize: the extent of the pictures that will be given; nil for that of the file.
  init(_ reader: ConfigurationReader, _ family: Family, imageSize: ImageSize?) throws(ApusError) {
    self.family = family
    isGated = try reader.bool("use_swiglu_ffn", default: false)
    encoder = try Self.encoder(reader, isGated: isGated)
    hasProjectionBias = try reader.bool("qkv_bias", default: true)
    let patch = try reader.patchSize(default: family == .plain ? 14 : 16)
    let channels = try reader.integer("num_channels", in: 1...4, default: 3)
    let size = try reader.imageSize(default: 224)
    trained = try PatchGrid(image: size, patch: patch, channels: channels)
    grid = try PatchGrid(image: imageSize ?? size, patch: patch, channels: channels)
    reader.passOver(Self.keysWithoutEffect)
    switch family {
    case .plain:
      registers = 0
      reader.passOver([
        KeysWithoutEffect("patches that are masked, as in training alone", ["use_mask_token"])
      ])
    case .withRegisters:
      registers = try reader.integer("num_register_tokens", in: 0...PatchGrid.maximumCount, default: 4)
      reader.passOver([
        KeysWithoutEffect(
          "the interpolation of positions, which the library's class does in one way",
          ["interpolate_antialias", "interpolate_offset"])
      ])
    }
    guard filter == nil || PositionGrid.side(ofSquare: trained.count) != nil else {
      throw reader.unexpected(
        "image_size", reader.value("image_size"),
        "a square number of patches, as the library interpolates positions, not \(trained.count)")
    }
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect("training and initialisation", ["drop_path_rate", "layerscale_value"]),
    KeysWithoutEffect(
      "which layers a backbone returns, and in which form",
      TransformersKeys.backbone.union(["apply_layernorm", "reshape_hidden_states"])),
  ]

  private static func encoder(
    _ reader: ConfigurationReader, isGated: Bool
  ) throws(ApusError) -> EncoderConfiguration {
    let width = try reader.size("hidden_size", default: 768)
    let heads = try reader.size("num_attention_heads", default: 12)
    try reader.requireHeads("num_attention_heads", heads, divide: width)
    try reader.require("head_dim", isOneOf: .number("\(width / heads)"))
    let ratio = try reader.number("mlp_ratio", in: 0.01...64, default: 4)
    let expanded = Int(Double(width) * ratio)
    if isGated {
      reader.passOver([KeysWithoutEffect("SiLU, which gates features whatever it says", ["hidden_act"])])
    }
    return EncoderConfiguration(
      layers: try reader.size("num_hidden_layers", default: 12), width: width, heads: heads,
      expandedWidth: isGated ? gatedWidth(expanded) : expanded,
      activation: isGated ? .swish : try reader.activation("hidden_act", default: .gelu(.exact)),
      epsilon: try reader.epsilon(default: 1e-6))
  }

  /// Two thirds of the features, in eights: as many weights in three matrices as in two of the whole width.
  private static func gatedWidth(_ width: Int) -> Int { (Int(Double(width * 2) / 3) + 7) / 8 * 8 }
}
