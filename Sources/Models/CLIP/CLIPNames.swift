/// What the parts of CLIP are called in a library's files.
struct CLIPNames: Sendable {
  /// How a projection to the common space is stored.
  enum Projection: Sendable {
    /// [common width, width], under `<path>.weight`.
    case linear(String)
    /// [width, common width], under the name itself.
    case transposed(String)
  }

  /// A layer at a place.
  let layer: @Sendable (WeightPath, EncoderConfiguration, SelfAttention.Reach) -> EncoderLayer
  let layers: String
  /// The path of the picture's tower, and names below it.
  var image: String
  let classToken: String
  let patches: String
  let imagePositions: String
  let normBefore: String
  let normAfter: String
  let imageProjection: Projection
  /// The path of the text's tower, and names below it.
  var text: String
  let tokens: String
  let textPositions: String
  let textNorm: String
  let textProjection: Projection

  static let huggingFace = CLIPNames(
    layer: EncoderLayer.clip, layers: "encoder.layers", image: "vision_model",
    classToken: "embeddings.class_embedding", patches: "embeddings.patch_embedding",
    imagePositions: "embeddings.position_embedding.weight", normBefore: "pre_layrnorm",
    normAfter: "post_layernorm", imageProjection: .linear("visual_projection"), text: "text_model",
    tokens: "embeddings.token_embedding.weight", textPositions: "embeddings.position_embedding.weight",
    textNorm: "final_layer_norm", textProjection: .linear("text_projection"))

  /// - Parameter text: where the text's tower stands: at the root, or below `text` for custom text towers.
  static func openCLIP(text: String) -> CLIPNames {
    CLIPNames(
      layer: EncoderLayer.openCLIP, layers: "transformer.resblocks", image: "visual",
      classToken: "class_embedding",
      patches: "conv1", imagePositions: "positional_embedding", normBefore: "ln_pre", normAfter: "ln_post",
      imageProjection: .transposed("visual.proj"), text: text, tokens: "token_embedding.weight",
      textPositions: "positional_embedding", textNorm: "ln_final",
      textProjection: .transposed(text.isEmpty ? "text_projection" : "\(text).text_projection"))
  }
}

extension EncoderLayer {
  /// CLIP's and SigLIP's of Hugging Face.
  static func clip(
    _ weights: WeightPath, _ sizes: EncoderConfiguration, seeing reach: SelfAttention.Reach = .all
  ) -> EncoderLayer {
    EncoderLayer(
      weights, Norm(.layer, sizes.epsilon),
      SelfAttention(
        sizes, .separate("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
        output: "self_attn.out_proj", sees: reach),
      .normFirst("layer_norm1"),
      FeedForward(.plain("mlp.fc1"), "mlp.fc2", sizes), .normFirst("layer_norm2"))
  }

  /// CLIP's of OpenCLIP and OpenAI.
  static func openCLIP(
    _ weights: WeightPath, _ sizes: EncoderConfiguration, seeing reach: SelfAttention.Reach
  ) -> EncoderLayer {
    EncoderLayer(
      weights, Norm(.layer, sizes.epsilon),
      SelfAttention(sizes, .stacked("attn", prefix: "in_proj"), output: "attn.out_proj", sees: reach),
      .normFirst("ln_1"),
      FeedForward(.plain("mlp.c_fc"), "mlp.c_proj", sizes), .normFirst("ln_2"))
  }
}
