import Formats
import Graph
import TensorCore

extension CLIPConfiguration {
  /// The `open_clip_config.json` of OpenCLIP. What it asks for beyond the plain towers is refused by name.
  /// - Parameter text: where the text's tower stands: at the root, or below `text` for custom text towers.
  init(openCLIP reader: ConfigurationReader, text textPath: String) throws(ApusError) {
    reader.passOver([KeysWithoutEffect("the network: its keys are for pictures", ["preprocess_cfg"])])
    let model = try reader.object("model_cfg")
    let image = try model.object("vision_cfg")
    let text = try model.object("text_cfg")
    let activation = Activation.gelu(
      try model.bool("quick_gelu", default: false) ? .sigmoid : .exact)
    commonWidth = try model.size("embed_dim")
    self.image = try Self.image(image, activation)
    self.text = try Self.text(text, activation)
    names = .openCLIP(text: textPath)
    model.passOver([
      KeysWithoutEffect(
        "training and initialisation", ["init_logit_scale", "init_logit_bias", "nonscalar_logit_scale"]),
      KeysWithoutEffect("which class has the layers, as the tensors' names say", ["custom_text"]),
    ])
    image.passOver([
      KeysWithoutEffect("training, and what is returned besides", ["patch_dropout", "output_tokens"])
    ])
    text.passOver([
      KeysWithoutEffect(
        "the tokenizer, whose own files say it, and padding, which no token sees",
        ["hf_tokenizer_name", "pad_id"])
    ])
  }

  private static func image(
    _ reader: ConfigurationReader, _ activation: Activation
  ) throws(ApusError) -> Image {
    try reader.requirePlainTower()
    try reader.require("attentional_pool", isOneOf: .bool(false))
    try reader.require("no_ln_pre", isOneOf: .bool(false))
    try reader.require("pos_embed_type", isOneOf: .string("learnable"))
    try reader.require("pool_type", isOneOf: .string("tok"))
    // After the class token is taken or before, its normalisation is the same.
    _ = try reader.bool("final_ln_after_pool", default: false)
    let width = try reader.size("width", default: 768)
    let headWidth = try reader.size("head_width", default: 64)
    guard width % headWidth == 0 else {
      throw reader.unexpected("head_width", reader.value("head_width"), "a divisor of the width \(width)")
    }
    let size = try reader.imageSize(default: 224)
    let grid = try PatchGrid(image: size, patch: reader.patchSize(default: 16))
    let encoder = try reader.encoder(width: width, heads: width / headWidth, activation)
    return Image(encoder: encoder, trained: grid, grid: grid)
  }

  private static func text(
    _ reader: ConfigurationReader, _ activation: Activation
  ) throws(ApusError) -> Text {
    try reader.requirePlainTower()
    try reader.require("embed_cls", isOneOf: .bool(false))
    try reader.require("no_causal_mask", isOneOf: .bool(false))
    try reader.require("proj_type", isOneOf: .string("linear"))
    try reader.require("proj_bias", isOneOf: .bool(false))
    _ = try reader.bool("final_ln_after_pool", default: false)
    try reader.require("tokenizer_mode", isOneOf: .string(""))
    if let options = try reader.optionalObject("tokenizer_kwargs") {
      try options.require("clean", isOneOf: .string("whitespace"))
      try options.require("strip_sep_token", isOneOf: .bool(false))
    }
    let end = try reader.integer("eos_id", in: 0...Int(Int32.max), default: 2)
    let pooling = try reader.choice(
      "pool_type", ["argmax": CLIPTextPooling.highest, "eos": .first(Int32(end))], default: .highest)
    let width = try reader.size("width", default: 512)
    let heads = try reader.size("heads", default: 8)
    try reader.requireHeads("heads", heads, divide: width)
    return Text(
      encoder: try reader.encoder(width: width, heads: heads, activation),
      vocabulary: try reader.size("vocab_size", default: 49408),
      maximumTokens: try reader.size("context_length", default: 77), pooling: pooling)
  }
}

extension ConfigurationReader {
  /// Refuses what OpenCLIP can do to a tower's layers.
  fileprivate func requirePlainTower() throws(ApusError) {
    // Towers of other libraries, and layers that are not plain.
    for key in [
      "timm_model_name", "hf_model_name", "ls_init_value", "act_kwargs", "norm_kwargs", "block_type",
    ] { try require(key, isOneOf: .null) }
    for key in ["qk_norm", "scaled_cosine_attn", "scale_heads", "scale_attn_inner", "scale_attn", "scale_fc"]
    {
      try require(key, isOneOf: .bool(false))
    }
  }

  /// The layers of a tower of OpenCLIP.
  fileprivate func encoder(
    width: Int, heads: Int, _ activation: Activation
  ) throws(ApusError) -> EncoderConfiguration {
    if case .array? = value("layers") {
      throw unexpected("layers", value("layers"), "one number: a transformer", kind: .unsupportedModel)
    }
    let ratio = try number("mlp_ratio", in: 0.01...64, default: 4)
    return EncoderConfiguration(
      layers: try size("layers", default: 12), width: width, heads: heads,
      expandedWidth: Int((Double(width) * ratio).rounded(.down)), activation: activation, epsilon: 1e-5)
  }
}
