import Formats
import Graph
import TensorCore

/// The keyword arguments with which timm makes a vision transformer, of those that change what it computes.
struct TimmViTOptions: Sendable, Equatable {
  /// What is classified, by the name that `global_pool` has for it.
  enum Pooling: String, Sendable {
    case classToken = "token"
    /// The mean of the patches.
    case mean = "avg"
  }

  /// Pixels along each side of a patch.
  var patch = 16
  /// Features of a token.
  var width: Int
  var layers: Int
  var heads: Int
  /// Features between the two linear layers after attention, as a multiple of ``width``; of a gated network both halves.
  var expansion = 4.0
  var activation = Activation.gelu(.exact)
  /// Whether the features of one half, activated, are multiplied with those of the other (SwiGLU, Shazeer 2020).
  var isGated = false
  /// Added to the variances of all normalisations.
  var epsilon: Float = 1e-6
  /// Whether queries, keys and values have offsets.
  var hasProjectionBias = true
  /// Whether each feature of a layer's two results is multiplied by a factor (Touvron et al. 2021).
  var scalesLayers = false
  var hasClassToken = true
  /// Whether a distillation token follows the class token, and is classified too (DeiT, Touvron et al. 2021).
  var hasDistillationToken = false
  /// Tokens before the patches that are read by nobody.
  var registers = 0
  /// Whether the tokens before the patches have positions, too.
  var placesPrefix = true
  /// Whether tokens are normalised before the first layer; then patches have no offset.
  var normalizesTokens = false
  var pooling = Pooling.classToken
  /// Whether what is pooled is normalised, and not the tokens before; nil for as ``pooling`` has it.
  var normalizesPooledIfStated: Bool?
  /// Whether pictures may have any extent, so that positions are interpolated for each.
  var takesAnyExtent = false

  var normalizesPooled: Bool { normalizesPooledIfStated ?? (pooling == .mean) }
  /// Tokens before the patches.
  var prefix: Int { (hasClassToken ? 1 : 0) + (hasDistillationToken ? 1 : 0) + registers }
  /// Positions before those of the patches.
  var placedPrefix: Int { placesPrefix ? prefix : 0 }
  /// Features of the first linear layer's result after attention.
  var expandedWidth: Int { Int(Double(width) * expansion) }

  var encoder: EncoderConfiguration {
    EncoderConfiguration(
      layers: layers, width: width, heads: heads, expandedWidth: isGated ? expandedWidth / 2 : expandedWidth,
      activation: activation, epsilon: epsilon)
  }
}

extension TimmViTOptions {
  /// The same with what `model_args` says in its place.
  /// - Throws: ``ApusError`` when it asks for what Apus does not do, or for what does not go together.
  func replaced(by arguments: ConfigurationReader) throws(ApusError) -> TimmViTOptions {
    var options = self
    options.patch = try arguments.patchSize(default: patch)
    options.width = try arguments.size("embed_dim", default: width)
    options.layers = try arguments.size("depth", default: layers)
    options.heads = try arguments.size("num_heads", default: heads)
    options.expansion = try arguments.number("mlp_ratio", in: 0.01...64, default: expansion)
    options.activation = try arguments.choice("act_layer", Self.activations, default: activation)
    options.hasProjectionBias = try arguments.bool("qkv_bias", default: hasProjectionBias)
    if arguments.has("init_values") { options.scalesLayers = try arguments.number("init_values") != 0 }
    options.hasClassToken = try arguments.bool("class_token", default: hasClassToken)
    options.registers = try arguments.integer(
      "reg_tokens", in: 0...PatchGrid.maximumCount, default: registers)
    options.placesPrefix = try !arguments.bool("no_embed_class", default: !placesPrefix)
    options.normalizesTokens = try arguments.bool("pre_norm", default: normalizesTokens)
    options.pooling = try arguments.choice(
      "global_pool",
      [
        ExactText(Pooling.classToken.rawValue): Pooling.classToken, ExactText(Pooling.mean.rawValue): .mean,
      ],
      default: pooling)
    if arguments.has("fc_norm") { options.normalizesPooledIfStated = try arguments.bool("fc_norm") }
    options.takesAnyExtent = try arguments.bool("dynamic_img_size", default: takesAnyExtent)
    try Self.refuseOthers(arguments)
    try options.requireAgreement(arguments)
    return options
  }

  private static let activations: KeyValuePairs<ExactText, Activation> = [
    "gelu": .gelu(.exact), "gelu_tanh": .gelu(.tanh), "quick_gelu": .gelu(.sigmoid), "relu": .relu,
    "silu": .swish, "swish": .swish, "tanh": .tanh,
  ]

  private static func refuseOthers(_ arguments: ConfigurationReader) throws(ApusError) {
    for key in ["qk_norm", "scale_attn_norm", "scale_mlp_norm", "pool_include_prefix", "dynamic_img_pad"] {
      try arguments.require(key, isOneOf: .bool(false))
    }
    for key in ["proj_bias", "final_norm"] { try arguments.require(key, isOneOf: .bool(true)) }
    try arguments.require("pos_embed", isOneOf: .string("learn"))
    arguments.passOver([
      KeysWithoutEffect(
        "training and initialisation",
        [
          "attn_drop_rate", "fix_init", "patch_drop_rate", "pos_drop_rate", "proj_drop_rate", "weight_init",
        ])
    ])
  }

  /// Refuses options that exclude one another, or with which timm makes another network than they say.
  private func requireAgreement(_ arguments: ConfigurationReader) throws(ApusError) {
    try arguments.requireHeads("num_heads", heads, divide: width)
    guard expandedWidth > 0, !isGated || expandedWidth % 2 == 0 else {
      throw arguments.unexpected(
        "mlp_ratio", arguments.value("mlp_ratio"),
        isGated ? "an even number of features" : "one feature, at least")
    }
    guard hasClassToken || pooling == .mean else {
      throw arguments.unexpected(
        "class_token", arguments.value("class_token"), "true, or the mean of the patches in global_pool")
    }
    guard hasDistillationToken else { return }
    // The class that has the token reads both tokens, whatever else is said.
    try arguments.require("class_token", isOneOf: .bool(true))
    try arguments.require("reg_tokens", isOneOf: .number("0"))
    try arguments.require("global_pool", isOneOf: .string(ExactText(Pooling.classToken.rawValue)))
    try arguments.require("fc_norm", isOneOf: .bool(false))
  }
}
