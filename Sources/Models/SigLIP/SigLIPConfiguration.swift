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
    let image = try Self.tower("vision_config", reader)
    let text = try Self.tower("text_config", reader)
    reader.passOver([TransformersKeys.logits])
    for (part, type) in [(image, "siglip_vision_model"), (text, "siglip_text_model")] {
      try part.passOverCommonKeys(withoutClasses: true)
      try part.require("model_type", isOneOf: .string(ExactText(type)))
    }
    self.image = try Image(image, imageSize: imageSize)
    self.text = try Text(text)
    guard self.text.outputWidth == self.image.encoder.width else {
      throw text.unexpected(
        "projection_size", text.value("projection_size"),
        "\(self.image.encoder.width), the width of the picture's embedding")
    }
  }

  /// What a file says of a tower; without a word it is the default one, whatever stands beside it.
  private static func tower(
    _ key: String, _ reader: ConfigurationReader
  ) throws(ApusError) -> ConfigurationReader {
    if let stated = try reader.optionalObject(key) { return stated }
    return try ConfigurationReader(.object([]), file: reader.file, path: key)
  }

  fileprivate static let defaults = EncoderConfiguration.Defaults(activation: .gelu(.tanh), epsilon: 1e-6)
}

extension SigLIPConfiguration.Image {
  /// What a `vision_config` says, or the `config.json` of a `SiglipVisionModel`.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    try reader.require("vision_use_head", isOneOf: .bool(true))
    let patch = try reader.patchSize(default: 16)
    let channels = try reader.integer("num_channels", in: 1...4, default: 3)
    let size = try reader.imageSize(default: 224)
    encoder = try EncoderConfiguration(reader, SigLIPConfiguration.defaults)
    trained = try PatchGrid(image: size, patch: patch, channels: channels)
    grid = try PatchGrid(image: imageSize ?? size, patch: patch, channels: channels)
  }
}

extension SigLIPConfiguration.Text {
  /// What a `text_config` says, or the `config.json` of a `SiglipTextModel`.
  init(_ reader: ConfigurationReader) throws(ApusError) {
    encoder = try EncoderConfiguration(reader, SigLIPConfiguration.defaults)
    vocabulary = try reader.size("vocab_size", default: 32000)
    maximumTokens = try reader.size("max_position_embeddings", default: 64)
    outputWidth = try reader.size("projection_size", default: encoder.width)
  }
}
