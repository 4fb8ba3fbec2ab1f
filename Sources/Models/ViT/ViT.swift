import Graph
import TensorCore

/// A vision transformer that classifies pictures (Dosovitskiy et al. 2021), or one that was distilled (DeiT, Touvron
/// et al. 2021).
struct ViT: ImageTower {
  let configuration: ViTConfiguration
  let weights: WeightPath

  var imageSize: ImageSize { configuration.grid.image }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { configuration.classes.count }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let pixels = try graph.pixels(configuration.grid, batch: batch)
    let hidden = try tokens(pixels, batch, in: &graph)
    graph.output(try logits(hidden, batch, in: &graph))
    return graph.graph
  }

  /// The last layer's rows of the class token, and of the distillation token where it is classified too:
  /// [batch · tokens, width].
  private func tokens(
    _ pixels: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (encoder, grid) = (configuration.encoder, configuration.grid)
    let (width, length) = (encoder.width, configuration.prefix + grid.count)
    let weights = weights[configuration.family]
    let embeddings = weights["embeddings"]
    var x = try graph.patchEmbedding(
      pixels, embeddings["patch_embeddings.projection"], grid, width: width, hasBias: true)
    var prefix = [try graph.float32(embeddings, "cls_token", [1, 1, width])]
    if configuration.hasDistillationToken {
      prefix.append(try graph.float32(embeddings, "distillation_token", [1, 1, width]))
    }
    x = try graph.prepend(prefix, to: x, at: embeddings.prefix)
    let positions = try graph.positions(
      embeddings, "position_embeddings",
      shape: [1, configuration.prefix + configuration.trained.count, width],
      prefix: configuration.prefix, trained: configuration.trained, grid: grid)
    x = try graph.sum(x, positions, at: embeddings.key("sum"))
    x = try graph.reshape(x, [batch * length, width], at: embeddings.key("rows"))
    let segments = try Segments(count: batch, length: length, in: &graph)
    let layers = Encoder(weights["encoder.layer"], count: encoder.layers, layer)
    switch configuration.head {
    case .classToken:
      let first = try graph.indices((0..<batch).map { $0 * length }, at: "class tokens")
      x = try layers(x, segments, keeping: first, in: &graph)
    case .distilled:
      x = try layers(x, segments, in: &graph)
      let both = (0..<batch).flatMap { [$0 * length, $0 * length + 1] }
      x = try graph.gather(x, graph.indices(both, at: "class tokens"), at: weights.key("class tokens"))
    }
    return try graph.layerNorm(x, weights["layernorm"], epsilon: encoder.epsilon)
  }

  private func layer(_ weights: WeightPath) -> EncoderLayer {
    .vit(
      weights, configuration.encoder,
      .separate(
        "attention.attention.query", "attention.attention.key", "attention.attention.value",
        hasBias: configuration.hasProjectionBias))
  }

  private func logits(
    _ tokens: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let classes = configuration.classes.count
    switch configuration.head {
    case .classToken: return try graph.linear(tokens, weights["classifier"], outputs: classes)
    case .distilled:
      return try graph.distilledLogits(
        tokens, (weights["cls_classifier"], weights["distillation_classifier"]), batch: batch,
        outputs: classes)
    }
  }
}

extension EncoderLayer {
  /// Of ViT and its kin in Hugging Face.
  /// - Parameter factors: those of attention and of the linear layers after it.
  static func vit(
    _ weights: WeightPath, _ sizes: EncoderConfiguration, _ projections: SelfAttention.Projections,
    scaledBy factors: (String, String)? = nil
  ) -> EncoderLayer {
    EncoderLayer(
      weights, Norm(.layer, sizes.epsilon),
      SelfAttention(sizes, projections, output: "attention.output.dense"),
      .normFirst("layernorm_before", scaledBy: factors?.0),
      FeedForward(.plain("intermediate.dense"), "output.dense", sizes),
      .normFirst("layernorm_after", scaledBy: factors?.1))
  }
}

extension HuggingFaceArchitecture {
  static let vit = [
    vit("ViTForImageClassification", "vit", "ViT", .classToken),
    vit("DeiTForImageClassification", "deit", "DeiT", .classToken),
    vit("DeiTForImageClassificationWithTeacher", "deit", "DeiT", .distilled),
  ]

  private static func vit(
    _ name: String, _ modelType: String, _ family: String, _ head: ViTConfiguration.Head
  ) -> HuggingFaceArchitecture {
    .init(name, modelType, family, .imageClassification) { (reader, imageSize) throws(ApusError) in
      let configuration = try ViTConfiguration(reader, family: modelType, head: head, imageSize: imageSize)
      return { (weights, _) in
        ModelArchitecture(
          image: ViT(configuration: configuration, weights: weights), outputs: configuration.classes.outputs)
      }
    }
  }
}
