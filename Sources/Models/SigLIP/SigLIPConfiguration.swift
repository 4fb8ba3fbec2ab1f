import Formats
import Graph
import TensorCore

/// The `config.json` of Hugging Face's `SiglipModel`: SigLIP, SigLIP 2 of fixed resolution, MedSigLIP.
struct SigLIPConfiguration: Sendable {
  struct Image: Sendable {
    let encoder: EncoderConfiguration
    let trained: PatchGrid
    let grid: PatchGrid
  }

  struct Text: Sendable {
    let encoder: EncoderConfiguration
    let vocabulary: Int
    let maximumTokens: Int
    /// Features of a text's embedding.
    let outputWidth: Int
  }

  let image: Image
  let text: Text

  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    let image = try reader.optionalObject("vision_config") ?? reader
    let text = try reader.optionalObject("text_config") ?? reader
    let defaults = EncoderConfiguration.Defaults(activation: .gelu(.tanh), epsilon: 1e-6)
    try image.require("vision_use_head", isOneOf: .bool(true))
    let patch = try image.patchSize(default: 16)
    let channels = try image.integer("num_channels", in: 1...4, default: 3)
    let size = try image.imageSize(default: 224)
    self.image = Image(
      encoder: try EncoderConfiguration(image, .normFirst, defaults: defaults),
      trained: try PatchGrid(image: size, patch: patch, channels: channels),
      grid: try PatchGrid(image: imageSize ?? size, patch: patch, channels: channels))
    let encoder = try EncoderConfiguration(text, .normFirst, defaults: defaults)
    self.text = Text(
      encoder: encoder, vocabulary: try text.size("vocab_size", default: 32000),
      maximumTokens: try text.size("max_position_embeddings", default: 64),
      outputWidth: try text.size("projection_size", default: encoder.width))
    guard self.text.outputWidth == self.image.encoder.width else {
      throw text.unexpected(
        "projection_size", text.value("projection_size"),
        "\(self.image.encoder.width), the width of the picture's embedding")
    }
  }
}
