/// What the parts of a transformer's layer are called in a family's files.
struct EncoderNames: Sendable {
  enum Projections: Sendable {
    /// Layers of their own for queries, keys and values.
    case separate(query: String, key: String, value: String)
    /// One matrix for all three, at a path, under names that begin so: PyTorch's `MultiheadAttention`; of a linear layer
    /// there is nothing that they begin with.
    case stacked(path: String, name: String?)
  }

  let projections: Projections
  let attentionOutput: String
  let attentionNorm: String
  let expansion: String
  let contraction: String
  let outputNorm: String
  /// The factors, one for each feature, that attention's result is multiplied by before it is added (layer scale,
  /// Touvron et al. 2021); nil in a family without them.
  var attentionScale: String?
  /// The same of the two linear layers' result.
  var outputScale: String?

  /// CLIP and SigLIP of Hugging Face.
  static let clip = EncoderNames(
    projections: .separate(query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj"),
    attentionOutput: "self_attn.out_proj", attentionNorm: "layer_norm1", expansion: "mlp.fc1",
    contraction: "mlp.fc2", outputNorm: "layer_norm2")

  /// CLIP of OpenCLIP and OpenAI.
  static let openCLIP = EncoderNames(
    projections: .stacked(path: "attn", name: "in_proj"), attentionOutput: "attn.out_proj",
    attentionNorm: "ln_1", expansion: "mlp.c_fc", contraction: "mlp.c_proj", outputNorm: "ln_2")

  /// ViT and DeiT of Hugging Face.
  static let vit = EncoderNames(
    projections: .separate(
      query: "attention.attention.query", key: "attention.attention.key", value: "attention.attention.value"),
    attentionOutput: "attention.output.dense", attentionNorm: "layernorm_before",
    expansion: "intermediate.dense", contraction: "output.dense", outputNorm: "layernorm_after")

  /// BEiT of Hugging Face.
  /// - Parameter isScaled: whether features are multiplied by factors before they are added.
  static func beit(isScaled: Bool) -> EncoderNames {
    var names = vit
    if isScaled { (names.attentionScale, names.outputScale) = ("lambda_1", "lambda_2") }
    return names
  }

  /// Swin of Hugging Face.
  static let swin = EncoderNames(
    projections: .separate(
      query: "attention.self.query", key: "attention.self.key", value: "attention.self.value"),
    attentionOutput: "attention.output.dense", attentionNorm: "layernorm_before",
    expansion: "intermediate.dense", contraction: "output.dense", outputNorm: "layernorm_after")

  /// timm's vision transformers.
  /// - Parameter isScaled: whether features are multiplied by factors before they are added.
  static func timm(isScaled: Bool) -> EncoderNames {
    EncoderNames(
      projections: .stacked(path: "attn.qkv", name: nil), attentionOutput: "attn.proj",
      attentionNorm: "norm1", expansion: "mlp.fc1", contraction: "mlp.fc2", outputNorm: "norm2",
      attentionScale: isScaled ? "ls1.gamma" : nil, outputScale: isScaled ? "ls2.gamma" : nil)
  }

  /// DINOv2 of Hugging Face.
  /// - Parameter isGated: whether the first matrix of the linear layers is two, one above the other: SwiGLU.
  static func dinoV2(isGated: Bool) -> EncoderNames {
    EncoderNames(
      projections: .separate(
        query: "attention.attention.query", key: "attention.attention.key", value: "attention.attention.value"
      ),
      attentionOutput: "attention.output.dense", attentionNorm: "norm1",
      expansion: isGated ? "mlp.weights_in" : "mlp.fc1", contraction: isGated ? "mlp.weights_out" : "mlp.fc2",
      outputNorm: "norm2", attentionScale: "layer_scale1.lambda1", outputScale: "layer_scale2.lambda1")
  }

  /// BERT, RoBERTa and their kin.
  static let bert = EncoderNames(
    projections: .separate(
      query: "attention.self.query", key: "attention.self.key", value: "attention.self.value"),
    attentionOutput: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
    expansion: "intermediate.dense", contraction: "output.dense", outputNorm: "output.LayerNorm")

  static let mpnet = EncoderNames(
    projections: .separate(query: "attention.attn.q", key: "attention.attn.k", value: "attention.attn.v"),
    attentionOutput: "attention.attn.o", attentionNorm: "attention.LayerNorm",
    expansion: "intermediate.dense", contraction: "output.dense", outputNorm: "output.LayerNorm")

  static let albert = EncoderNames(
    projections: .separate(query: "attention.query", key: "attention.key", value: "attention.value"),
    attentionOutput: "attention.dense", attentionNorm: "attention.LayerNorm", expansion: "ffn",
    contraction: "ffn_output", outputNorm: "full_layer_layer_norm")

  static let modernBERT = EncoderNames(
    projections: .stacked(path: "attn.Wqkv", name: nil), attentionOutput: "attn.Wo",
    attentionNorm: "attn_norm",
    expansion: "mlp.Wi", contraction: "mlp.Wo", outputNorm: "mlp_norm")

  static let deBERTa = EncoderNames(
    projections: .separate(
      query: "attention.self.query_proj", key: "attention.self.key_proj", value: "attention.self.value_proj"),
    attentionOutput: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
    expansion: "intermediate.dense", contraction: "output.dense", outputNorm: "output.LayerNorm")

  static let distilBERT = EncoderNames(
    projections: .separate(query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin"),
    attentionOutput: "attention.out_lin", attentionNorm: "sa_layer_norm", expansion: "ffn.lin1",
    contraction: "ffn.lin2", outputNorm: "output_layer_norm")
}
