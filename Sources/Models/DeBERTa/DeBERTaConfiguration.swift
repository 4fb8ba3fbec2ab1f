import Formats
import Graph
import TensorCore

/// The `config.json` of the second and third version of DeBERTa.
struct DeBERTaConfiguration: Sendable {
  /// A convolution over the rows of a text, whose result is added to that of the first layer.
  struct Convolution: Sendable {
    /// Rows that each result is made of, an odd number.
    let size: Int
    let activation: Activation
  }

  let encoder: EncoderConfiguration
  let attention: DisentangledAttention
  let convolution: Convolution?
  let vocabulary: Int
  /// Features of a token before they are projected to those of a layer.
  let embeddingWidth: Int
  /// What `max_position_embeddings` says.
  let statedPositions: Int
  /// Whether an embedding of its position is added to each token.
  let hasPositions: Bool
  /// Token types; 0 for none.
  let tokenTypes: Int

  /// Tokens of one text, at most, where no table of positions sets a limit: eight times as many as published models were
  /// trained with, and more take minutes.
  static let longest = 4096

  /// Tokens of one text that the tables allow.
  var maximumTokens: Int { hasPositions ? statedPositions : Self.longest }

  init(_ reader: ConfigurationReader) throws(ApusError) {
    reader.passOver(Self.keysWithoutEffect)
    statedPositions = try reader.size("max_position_embeddings", default: 512)
    attention = try DisentangledAttention(reader, positions: statedPositions)
    encoder = try EncoderConfiguration(
      reader, .init(width: 1536, layers: 24, heads: 24, expandedWidth: 6144, epsilon: 1e-7))
    try reader.require("attention_head_size", isOneOf: .number("\(encoder.headWidth)"))
    convolution = try Self.convolution(reader)
    vocabulary = try reader.size("vocab_size", default: 128100)
    embeddingWidth = try reader.size("embedding_size", default: encoder.width)
    hasPositions = try reader.bool("position_biased_input", default: true)
    tokenTypes = try reader.integer("type_vocab_size", in: 0...ConfigurationReader.sizeLimit, default: 0)
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect("training and initialisation", ["pooler_dropout", "cls_dropout", "z_steps"]),
    KeysWithoutEffect(
      "what guesses hidden tokens, which embeddings and classes are made without", ["legacy"]),
  ]

  private static func convolution(_ reader: ConfigurationReader) throws(ApusError) -> Convolution? {
    let key = "conv_kernel_size"
    let size = try reader.integer(key, in: 0...ConfigurationReader.sizeLimit, default: 0)
    let activation = try reader.activation("conv_act", default: .tanh)
    try reader.require("conv_groups", isOneOf: .number("1"))
    guard size > 0 else { return nil }
    guard size % 2 == 1 else {
      throw reader.unexpected(key, reader.value(key), "an odd number, or 0 for no convolution")
    }
    return Convolution(size: size, activation: activation)
  }
}

extension DeBERTaConfiguration {
  /// What classifiers make of the first token's features.
  func head(_ reader: ConfigurationReader, classes: Int) throws(ApusError) -> TextHead {
    try reader.require("pooler_hidden_size", isOneOf: .number("\(encoder.width)"))
    let activation = try reader.activation("pooler_hidden_act", default: .gelu(.exact))
    return TextHead(
      pooling: .first,
      classes: TextHead.Classes(count: classes, dense: "pooler.dense", activation: activation))
  }

  /// Those keys, of a model without classes.
  static let classifierKeys = KeysWithoutEffect(
    "the layer before classes, which the model has none of", ["pooler_hidden_size", "pooler_hidden_act"])
}
