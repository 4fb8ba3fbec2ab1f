import Formats
import Graph
import TensorCore

/// The `config.json` of Gemma 3's network for texts, as an encoder.
struct Gemma3Configuration: Sendable {
  /// Which tokens of a text a layer sees, by the names of transformers.
  enum Reach: String, Sendable {
    case all = "full_attention"
    case near = "sliding_attention"
  }

  let encoder: EncoderConfiguration
  let heads: AttentionHeads
  /// What the products of queries and keys are multiplied by.
  let scale: Float
  let hasAttentionBias: Bool
  let vocabulary: Int
  /// Tokens of one text, at most.
  let maximumTokens: Int
  /// Of each layer.
  let reaches: [Reach]
  /// How far from its query a key is seen by layers that see what is near.
  let window: Int
  private let farPositions: RotaryPositions
  private let nearPositions: RotaryPositions

  var norm: Norm { Norm(.rms(plus: 1), encoder.epsilon) }

  /// The rotary positions of a layer.
  func positions(of reach: Reach) -> RotaryPositions { reach == .all ? farPositions : nearPositions }

  init(_ reader: ConfigurationReader) throws(ApusError) {
    reader.passOver([
      KeysWithoutEffect("logits of words, which an encoder does not make", ["final_logit_softcapping"])
    ])
    try reader.require("attn_logit_softcapping", isOneOf: .null)
    guard try reader.bool("use_bidirectional_attention", default: false) else {
      throw reader.unexpected(
        "use_bidirectional_attention", reader.value("use_bidirectional_attention"),
        "true: layers whose tokens see those before them alone are not implemented", kind: .unsupportedModel)
    }
    heads = try AttentionHeads(reader, .init(count: 8, keys: 4, width: 256))
    encoder = EncoderConfiguration(
      layers: try reader.size("num_hidden_layers", default: 26),
      width: try reader.size("hidden_size", default: 2304), heads: heads.count,
      expandedWidth: try reader.size("intermediate_size", default: 9216),
      activation: try reader.activation("hidden_activation", default: .gelu(.tanh)),
      epsilon: try reader.epsilon("rms_norm_eps", default: 1e-6))
    try reader.requireHeads("num_attention_heads", heads.count, divide: encoder.width)
    scale = 1 / Float(try reader.size("query_pre_attn_scalar", default: 256)).squareRoot()
    hasAttentionBias = try reader.bool("attention_bias", default: false)
    vocabulary = try reader.size("vocab_size", default: 262_208)
    maximumTokens = try reader.size("max_position_embeddings", default: 131_072)
    reaches = try Self.reaches(reader, layers: encoder.layers)
    // Half of them on each side.
    window = try reader.size("sliding_window", default: 4096) / 2
    (farPositions, nearPositions) = try Self.positions(reader, maximum: maximumTokens)
  }

  /// What each layer sees: as `layer_types` lists it, else what is near but for every so many.
  private static func reaches(_ reader: ConfigurationReader, layers: Int) throws(ApusError) -> [Reach] {
    try reader.require("_sliding_window_pattern", isOneOf: .number("6"))
    let step = try reader.size("sliding_window_pattern", default: 6)
    guard let names = try reader.optionalList("layer_types", of: "names", { $0.string }) else {
      return (1...layers).map { $0 % step == 0 ? .all : .near }
    }
    let reaches = names.compactMap(Reach.init)
    guard reaches.count == names.count else {
      throw reader.unexpected(
        "layer_types", reader.value("layer_types"), "\(Reach.all.rawValue) and \(Reach.near.rawValue)",
        kind: .unsupportedModel)
    }
    guard reaches.count == layers else {
      throw ApusError(
        .configuration, "has \(reaches.count) names", expected: "\(layers), as num_hidden_layers says",
        at: "layer_types", file: reader.file)
    }
    return reaches
  }

  /// In `rope_parameters` of transformers 5, else under keys of their own, of which `rope_scaling` is that of layers that see
  /// everything.
  private static func positions(
    _ reader: ConfigurationReader, maximum: Int
  ) throws(ApusError) -> (far: RotaryPositions, near: RotaryPositions) {
    let parameters = try reader.optionalObject("rope_parameters")
    let older = try reader.optionalObject("rope_scaling")
    guard older == nil || parameters == nil else {
      throw reader.unexpected(
        "rope_scaling", reader.value("rope_scaling"), "not beside rope_parameters", kind: .unsupportedModel)
    }
    func positions(
      of reach: Reach, _ key: String, _ usual: Double, scaling: ConfigurationReader?
    ) throws(ApusError) -> RotaryPositions {
      guard !reader.isNull(key) else {
        throw ApusError(.configuration, "is null", expected: "a number", at: key, file: reader.file)
      }
      let stated = try reader.number(key, in: RotaryPositions.bases, default: usual)
      let own = try parameters?.optionalObject(reach.rawValue)
      let base = try own?.number("rope_theta", in: RotaryPositions.bases, default: stated) ?? stated
      guard !reader.has(key) || base == stated else {
        throw reader.unexpected(
          key, reader.value(key), "the rope_theta of \(reach.rawValue): versions differ in which counts",
          kind: .unsupportedModel)
      }
      return RotaryPositions(
        base: Float(base), scaling: try RotaryScaling(own ?? scaling, positions: maximum))
    }
    return (
      try positions(of: .all, "rope_theta", 1_000_000, scaling: older),
      try positions(of: .near, "rope_local_base_freq", 10_000, scaling: nil)
    )
  }
}
