import Formats
import Graph
import TensorCore

/// The sizes of CLIP's towers, whichever library wrote them.
struct CLIPConfiguration: Sendable {
  struct Image: Sendable {
    let encoder: EncoderConfiguration
    let trained: PatchGrid
    let grid: PatchGrid
  }

  struct Text: Sendable {
    let encoder: EncoderConfiguration
    let vocabulary: Int
    let maximumTokens: Int
    let pooling: CLIPTextPooling
  }

  let image: Image
  let text: Text
  /// Features of the space that both towers project into.
  let commonWidth: Int
  let names: CLIPNames
}

/// The token whose features stand for the whole text.
enum CLIPTextPooling: Sendable, Equatable {
  /// The first with the highest id: the end of the text in CLIP's own vocabulary.
  case highest
  /// The first with this id, or the first of all when there is none.
  case first(Int32)

  func position(in ids: [Int32]) -> Int {
    switch self {
    case .highest: ids.max().flatMap { ids.firstIndex(of: $0) } ?? 0
    case .first(let id): ids.firstIndex(of: id) ?? 0
    }
  }
}

extension CLIPConfiguration {
  /// The `config.json` of Hugging Face's `CLIPModel`.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    let image = try Self.tower("vision_config", reader)
    let text = try Self.tower("text_config", reader)
    reader.passOver([TransformersKeys.logits])
    image.passOver([TransformersKeys.ownProjection])
    text.passOver([TransformersKeys.ownProjection])
    self.image = try Image(image, imageSize: imageSize)
    self.text = try Text(text)
    commonWidth = try reader.size("projection_dim", default: 512)
    names = .huggingFace
  }

  /// Old files state a tower twice; transformers lets the `_dict` form win.
  private static func tower(
    _ key: String, _ reader: ConfigurationReader
  ) throws(ApusError) -> ConfigurationReader {
    let older = try reader.optionalObject("\(key)_dict")
    if older != nil {
      reader.passOver([KeysWithoutEffect("stated again in \(key)_dict, which wins", [ExactText(key)])])
    }
    let tower = if let older { older } else { try reader.object(key) }
    try tower.passOverCommonKeys(withoutClasses: true)
    return tower
  }

  fileprivate static let activation = Activation.gelu(.sigmoid)
}

extension CLIPConfiguration.Image {
  /// What a `vision_config` says, or the `config.json` of a `CLIPVisionModel`.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    try reader.require("model_type", isOneOf: .string("clip_vision_model"))
    let patch = try reader.patchSize(default: 32)
    let channels = try reader.integer("num_channels", in: 1...4, default: 3)
    let size = try reader.imageSize(default: 224)
    encoder = try EncoderConfiguration(
      reader, .init(activation: CLIPConfiguration.activation, epsilon: 1e-5))
    trained = try PatchGrid(image: size, patch: patch, channels: channels)
    grid = try PatchGrid(image: imageSize ?? size, patch: patch, channels: channels)
  }
}

extension CLIPConfiguration.Text {
  /// What a `text_config` says, or the `config.json` of a `CLIPTextModel`.
  init(_ reader: ConfigurationReader) throws(ApusError) {
    try reader.require("model_type", isOneOf: .string("clip_text_model"))
    let end = try reader.integer("eos_token_id", in: 0...Int(Int32.max), default: 49407)
    encoder = try EncoderConfiguration(
      reader,
      .init(
        width: 512, heads: 8, expandedWidth: 2048, activation: CLIPConfiguration.activation, epsilon: 1e-5))
    vocabulary = try reader.size("vocab_size", default: 49408)
    maximumTokens = try reader.size("max_position_embeddings", default: 77)
    // Files from before the id was corrected have 2, and mean the highest.
    pooling = end == 2 ? .highest : .first(Int32(end))
  }
}
