import Formats
import Graph
import TensorCore

/// The `config.json` of ModernBERT.
struct ModernBERTConfiguration: Sendable {
  /// Which tokens of a text a layer sees, by the names of transformers 5.
  enum Reach: String, Sendable {
    case all = "full_attention"
    case near = "sliding_attention"

    /// The base of a layer's rotary positions where nothing is said, and the older key for it.
    fileprivate var usualBase: Double { self == .all ? 160_000 : 10_000 }
    fileprivate var olderKey: String { self == .all ? "global_rope_theta" : "local_rope_theta" }
  }

  let encoder: EncoderConfiguration
  /// The kind of all normalisations.
  let norm: Norm
  /// Whether the linear layers of attention have offsets.
  let hasAttentionBias: Bool
  /// Whether those after it have.
  let hasFeedForwardBias: Bool
  let vocabulary: Int
  /// Tokens of one text, at most.
  let maximumTokens: Int
  /// Of each layer.
  let reaches: [Reach]
  /// How far from its query a key is seen by layers that see what is near.
  let window: Int
  private let farBase: Float
  private let nearBase: Float

  /// The base of the rotary positions of a layer.
  func base(of reach: Reach) -> Float { reach == .all ? farBase : nearBase }

  init(_ reader: ConfigurationReader) throws(ApusError) {
    reader.passOver(Self.keysWithoutEffect)
    // Encoders that were trained beside decoders state these; transformers reads neither.
    for key in ["is_causal", "causal_mask"] { try reader.require(key, isOneOf: .bool(false)) }
    encoder = try Self.encoder(reader)
    norm = Norm(
      try reader.bool("norm_bias", default: false) ? .layer : .layerWithoutOffset, encoder.epsilon)
    hasAttentionBias = try reader.bool("attention_bias", default: false)
    hasFeedForwardBias = try reader.bool("mlp_bias", default: false)
    vocabulary = try reader.size("vocab_size", default: 50368)
    maximumTokens = try reader.size("max_position_embeddings", default: 8192)
    reaches = try Self.reaches(reader, layers: encoder.layers)
    window = try reader.size("local_attention", default: 128) / 2
    // transformers 5 has it beside, and a file that states it sets both; older versions do not read it.
    try reader.require("sliding_window", isOneOf: .number("\(window)"))
    try reader.require("rope_scaling", isOneOf: .null)
    let parameters = try reader.optionalObject("rope_parameters")
    farBase = try Self.base(of: .all, reader, parameters)
    nearBase = try Self.base(of: .near, reader, parameters)
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect(
      "training and initialisation", ["embedding_dropout", "mlp_dropout", "initializer_cutoff_factor"]),
    KeysWithoutEffect(
      "how the library computes and what it returns besides",
      ["deterministic_flash_attn", "reference_compile", "repad_logits_with_grad"]),
    KeysWithoutEffect(
      "what guesses hidden tokens, which embeddings and classes are made without",
      ["decoder_bias", "sparse_prediction", "sparse_pred_ignore_index"]),
    KeysWithoutEffect(
      "settings of other models, which published files have and the library does not read",
      ["layer_norm_eps", "position_embedding_type"]),
    KeysWithoutEffect("the ids of special tokens, which the tokenizer has", ["cls_token_id"]),
  ]

  private static func encoder(_ reader: ConfigurationReader) throws(ApusError) -> EncoderConfiguration {
    let width = try reader.size("hidden_size", default: 768)
    let heads = try reader.size("num_attention_heads", default: 12)
    try reader.requireHeads("num_attention_heads", heads, divide: width)
    let encoder = EncoderConfiguration(
      layers: try reader.size("num_hidden_layers", default: 22), width: width, heads: heads,
      expandedWidth: try reader.size("intermediate_size", default: 1152),
      activation: try reader.activation("hidden_activation", default: .gelu(.exact)),
      epsilon: try reader.epsilon("norm_eps", default: 1e-5))
    try reader.require("head_dim", isOneOf: .number("\(encoder.headWidth)"))
    guard encoder.headWidth % 2 == 0 else {
      throw reader.unexpected(
        "num_attention_heads", reader.value("num_attention_heads"),
        "heads of an even width, as features are turned in pairs: here it is \(encoder.headWidth)")
    }
    return encoder
  }

  /// What each layer sees: as `layer_types` lists it, else all in every so many layers from the first on.
  private static func reaches(_ reader: ConfigurationReader, layers: Int) throws(ApusError) -> [Reach] {
    let key = "global_attn_every_n_layers"
    let step = try reader.size(key, default: 3)
    let usual = (0..<layers).map { $0 % step == 0 ? Reach.all : .near }
    guard let names = try reader.optionalList("layer_types", of: "names", { $0.string }) else { return usual }
    var reaches: [Reach] = []
    for name in names {
      guard let reach = Reach(rawValue: name) else {
        throw ApusError(
          .unsupportedModel, "names '\(name.clipped)'",
          expected: "\(Reach.all.rawValue) or \(Reach.near.rawValue)", at: "layer_types", file: reader.file)
      }
      reaches.append(reach)
    }
    guard reaches.count == layers else {
      throw ApusError(
        .configuration, "has \(reaches.count) names", expected: "\(layers), as num_hidden_layers says",
        at: "layer_types", file: reader.file)
    }
    guard !reader.has(key) || reaches == usual else {
      throw reader.unexpected(
        key, reader.value(key),
        "what layer_types says: versions of transformers differ in which of them counts",
        kind: .unsupportedModel)
    }
    return reaches
  }

  /// The base of the rotary positions of layers: in `rope_parameters` of transformers 5, else under a key of its own.
  private static func base(
    of reach: Reach, _ reader: ConfigurationReader, _ parameters: ConfigurationReader?
  ) throws(ApusError) -> Float {
    let key = reach.olderKey
    guard !reader.isNull(key) else {
      throw ApusError(
        .configuration, "is null", expected: "a number: versions of transformers differ in what null means",
        at: key, file: reader.file)
    }
    let older = try reader.number(key, in: 1...1e12, default: reach.usualBase)
    let own = try parameters?.optionalObject(reach.rawValue)
    for name in ["rope_type", "type"] { try own?.require(name, isOneOf: .string("default")) }
    let base = try own?.number("rope_theta", in: 1...1e12, default: older) ?? older
    guard !reader.has(key) || base == older else {
      throw reader.unexpected(
        key, reader.value(key),
        "the rope_theta of \(reach.rawValue): versions of transformers differ in which counts",
        kind: .unsupportedModel)
    }
    return Float(base)
  }
}

extension ModernBERTConfiguration {
  /// What classifiers have behind the encoder: a linear layer and a normalisation, as the model had them where it was trained
  /// to guess hidden tokens, and one to the logits.
  func head(_ reader: ConfigurationReader, classes: Int) throws(ApusError) -> TextHead {
    let hasBias = try reader.bool("classifier_bias", default: false)
    let layers = TextHead.Classes(
      count: classes, dense: LinearLayer("head.dense", hasBias: hasBias),
      activation: try reader.activation("classifier_activation", default: .gelu(.exact)),
      norm: (norm, "head.norm"))
    let pooling = try reader.choice(
      "classifier_pooling", ["cls": TextHead.Pooling.first, "mean": .mean], default: .first)
    return TextHead(pooling: pooling, classes: layers)
  }

  /// Those keys, of a model without classes.
  static let classifierKeys = KeysWithoutEffect(
    "the layers before classes, which the model has none of",
    ["classifier_pooling", "classifier_activation", "classifier_bias"])
}
