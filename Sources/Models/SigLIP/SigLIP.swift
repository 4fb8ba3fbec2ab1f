import Formats
import Graph
import TensorCore

/// The picture's tower of SigLIP (Zhai et al. 2023): a vision transformer without class token, whose patches are
/// pooled by attention.
struct SigLIPImageTower: ImageTower {
  let configuration: SigLIPConfiguration.Image
  /// At `vision_model`.
  let weights: WeightPath
  var outputName: TowerOutput? = .imageEmbeds

  var imageSize: ImageSize { configuration.grid.image }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { configuration.encoder.width }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let (encoder, grid) = (configuration.encoder, configuration.grid)
    let embeddings = weights["embeddings"]
    let pixels = try graph.pixels(grid, batch: batch)
    let patches = try graph.patchEmbedding(
      pixels, embeddings["patch_embedding"], grid, width: encoder.width, hasBias: true)
    let positions = try graph.positions(
      embeddings, "position_embedding.weight", shape: [configuration.trained.count, encoder.width], prefix: 0,
      trained: configuration.trained, grid: grid)
    var x = try graph.sum(patches, positions, at: embeddings.key("sum"))
    x = try graph.reshape(x, [batch * grid.count, encoder.width], at: embeddings.key("rows"))
    let segments = try Segments(count: batch, length: grid.count, in: &graph)
    let layers = Encoder(weights["encoder.layers"], count: encoder.layers) { .clip($0, encoder) }
    x = try layers(x, segments, in: &graph)
    x = try graph.layerNorm(x, weights["post_layernorm"], epsilon: encoder.epsilon)
    graph.output(try pool(x, segments, weights["head"], in: &graph))
    return graph.graph
  }

  /// A learned query attends to all patches of its picture; then two linear layers.
  private func pool(
    _ x: Value, _ patches: Segments, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let encoder = configuration.encoder
    let width = encoder.width
    let attention = weights["attention"]
    let parts = try Projection.stacked(
      attention, "in_proj", widths: [width, width, width], inputs: width)
    let probe = try graph.reshape(
      graph.float32(weights, "probe", [1, 1, width]), [1, width], at: weights.key("probe"))
    let query = try graph.linear(probe, [parts[0]], at: attention.key("query"))
    let queries = try graph.broadcast(
      query, to: [Int32(clamping: patches.count), Int32(clamping: width)], at: attention.key("queries"))
    let others = try graph.linear(x, Array(parts[1...]), at: attention.key("keys and values"))
    let single = try Segments(count: patches.count, length: 1, in: &graph)
    let operation = Attention(
      heads: encoder.heads, headWidth: encoder.headWidth, scale: 1 / Float(encoder.headWidth).squareRoot(),
      isCausal: false, valueOffset: width)
    let attended = try graph.apply(
      operation, [queries, others, others, single.bounds, patches.bounds], at: attention.prefix)
    let pooled = try graph.linear(attended, attention["out_proj"], outputs: width)
    let normal = try graph.layerNorm(pooled, weights["layernorm"], epsilon: encoder.epsilon)
    let fed = try FeedForward(.plain("mlp.fc1"), "mlp.fc2", encoder)(normal, weights, in: &graph)
    return try graph.sum(fed, pooled, at: weights.key("sum"))
  }
}

/// The text's tower of SigLIP: a transformer whose tokens attend padding unless a mask leaves it out, and whose last
/// token, padding or not, is projected.
///
/// A last token that is left out is still what stands for the text: it attends the tokens that are seen, and none
/// attends it. Other tokens that are left out make no difference, and are not computed.
struct SigLIPTextTower: TextTower {
  let configuration: SigLIPConfiguration.Text
  /// At `text_model`.
  let weights: WeightPath
  var outputName: TowerOutput? = .textEmbeds

  var maximumTokens: Int { configuration.maximumTokens }
  var vocabularySize: Int? { configuration.vocabulary }
  var paddedLength: Int? { configuration.maximumTokens }
  var outputWidth: Int { configuration.outputWidth }
  var paddingMask: PaddingMask { .optional }

  func pooledToken(of ids: [Int32]) -> Int? { nil }

  func hasUnattendedTokens(_ rows: [TokenRow]) -> Bool { !rows.allSatisfy(\.seesLast) }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    try graph(tokens: tokens, sequences: sequences, hasUnattendedTokens: false)
  }

  func graph(tokens: Int, sequences: Int, hasUnattendedTokens: Bool) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let encoder = configuration.encoder
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: true, hasUnattendedTokens: hasUnattendedTokens, in: &graph)
    let embeddings = weights["embeddings"]
    let words = try graph.embedding(
      inputs.ids, embeddings["token_embedding"], rows: configuration.vocabulary, width: encoder.width)
    let positions = try graph.embedding(
      inputs.positions, embeddings["position_embedding"], rows: configuration.maximumTokens,
      width: encoder.width)
    var x = try graph.sum(words, positions, at: embeddings.key("sum"))
    let layers = Encoder(weights["encoder.layers"], count: encoder.layers) { .clip($0, encoder) }
    x = try layers(x, inputs.segments, keeping: inputs.pooledRows, at: .last, in: &graph)
    x = try graph.layerNorm(x, weights["final_layer_norm"], epsilon: encoder.epsilon)
    graph.output(try graph.linear(x, weights["head"], outputs: configuration.outputWidth))
    return graph.graph
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    for (index, row) in rows.enumerated() {
      guard row.ids.count == maximumTokens else {
        throw ApusError(
          .argument, "\(row.ids.count) tokens", expected: "\(maximumTokens), with padding",
          at: "text \(index)",
          advice:
            "The last token stands for the text, padding or not: pad each text to that with the tokenizer's token."
        )
      }
      guard !row.columns.isEmpty else {
        throw ApusError(
          .argument, "every token is left out", expected: "one that is not", at: "text \(index)")
      }
    }
    let asking = rows.map { row in
      row.seesLast ? row : TokenRow(ids: row.ids, columns: row.columns + [row.ids.count - 1])
    }
    let batch = try TextBatch(asking, maximumTokens: maximumTokens)
    return hasUnattendedTokens(rows)
      ? try batch.tensors(pooled: batch.lastRows, attending: rows.map(\.columns.count))
      : try batch.tensors(pooled: batch.lastRows)
  }
}

extension HuggingFaceArchitecture {
  static let sigLIP = [
    HuggingFaceArchitecture(
      "SiglipModel", "siglip", "SigLIP", .zeroShot, sample: #"{"text_config": {}, "vision_config": {}}"#
    ) { (reader, imageSize) throws(ApusError) in
      let configuration = try SigLIPConfiguration(reader, imageSize: imageSize)
      return { (weights, folder) throws(ApusError) in
        try TowerModules.requireNone(folder)
        return try .sigLIP(configuration, weights)
      }
    },
    HuggingFaceArchitecture(
      "SiglipVisionModel", "siglip_vision_model", "SigLIP's tower for pictures", .imageEmbedding
    ) { (reader, imageSize) throws(ApusError) in
      let image = try SigLIPConfiguration.Image(reader, imageSize: imageSize)
      return { (weights, folder) throws(ApusError) in
        let weights = weights.descending(ifPresent: "vision_model")
        let modules = try TowerModules(folder, .imageTower)
        return ModelArchitecture(
          image: SigLIPImageTower(configuration: image, weights: weights, outputName: .poolerOutput),
          outputs: .encoder(normalizes: modules?.normalizes ?? true), pair: TowerPair.sigLIP.tower(in: folder)
        )
      }
    },
    HuggingFaceArchitecture(
      "SiglipTextModel", "siglip_text_model", "SigLIP's tower for texts", .textEmbedding
    ) { (reader, _) throws(ApusError) in
      let text = try SigLIPConfiguration.Text(reader)
      return { (weights, folder) throws(ApusError) in
        try TowerModules.requireNone(folder)
        let weights = weights.descending(ifPresent: "text_model")
        return ModelArchitecture(
          text: SigLIPTextTower(configuration: text, weights: weights, outputName: .poolerOutput),
          outputs: .encoder(normalizes: true), pair: TowerPair.sigLIP.tower(in: folder))
      }
    },
  ]
}

extension ModelArchitecture {
  /// SigLIP's towers, with the scale and the bias that it learned.
  static func sigLIP(
    _ configuration: SigLIPConfiguration, _ weights: WeightPath
  ) throws(ApusError) -> ModelArchitecture {
    let comparison = DualEncoder(
      scale: try weights.learnedScale(), bias: try weights.scalar("logit_bias"), scoring: .sigmoid)
    return ModelArchitecture(
      image: SigLIPImageTower(configuration: configuration.image, weights: weights["vision_model"]),
      text: SigLIPTextTower(configuration: configuration.text, weights: weights["text_model"]),
      outputs: .dualEncoder(comparison))
  }
}
