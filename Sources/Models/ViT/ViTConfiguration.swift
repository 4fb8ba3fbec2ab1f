import Formats
import TensorCore

/// The `config.json` of a ViT or DeiT classifier of Hugging Face.
struct ViTConfiguration: Sendable {
  /// Which rows of the last layer are classified.
  enum Head: Sendable {
    /// The class token's, by `classifier`.
    case classToken
    /// The mean of the class token's logits and the distillation token's.
    case distilled
  }

  let encoder: EncoderConfiguration
  /// Whether the projections to queries, keys and values have offsets.
  let hasProjectionBias: Bool
  /// The grid that the position embeddings were trained for.
  let trained: PatchGrid
  /// The grid of the pictures to be classified.
  let grid: PatchGrid
  let head: Head
  /// Whether a distillation token follows the class token.
  let hasDistillationToken: Bool
  let classes: ClassConfiguration
  /// The name before those of the encoder's tensors: `vit` or `deit`.
  let family: String

  /// Tokens before the patches.
  var prefix: Int { hasDistillationToken ? 2 : 1 }

  init(
    _ reader: ConfigurationReader, family: String, head: Head, imageSize: ImageSize?
  ) throws(ApusError) {
    encoder = try EncoderConfiguration(reader)
    hasProjectionBias = try reader.bool("qkv_bias", default: true)
    let patch = try reader.patchSize(default: 16)
    let channels = try reader.integer("num_channels", in: 1...4, default: 3)
    let size = try reader.imageSize(default: 224)
    trained = try PatchGrid(image: size, patch: patch, channels: channels)
    grid = try PatchGrid(image: imageSize ?? size, patch: patch, channels: channels)
    reader.passOver([
      KeysWithoutEffect(
        "layers that a classifier has not", ["encoder_stride", "pooler_act", "pooler_output_size"])
    ])
    self.family = family
    self.head = head
    hasDistillationToken = family == "deit"
    classes = try ClassConfiguration(reader)
  }
}
