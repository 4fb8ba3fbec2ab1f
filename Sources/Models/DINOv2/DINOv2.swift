import Formats
import Graph
import TensorCore

/// DINOv2 (Oquab et al. 2023): a vision transformer that was trained on pictures alone.
///
/// Its embedding of a picture is the class token's; a classifier reads the mean of the patches beside it. Register
/// tokens (Darcet et al. 2023) are attended as patches are, and read by nobody.
struct DINOv2: ImageTower {
  let configuration: DINOv2Configuration
  /// Of a classifier; nil where pictures are embedded.
  let classCount: Int?
  /// The root of the file.
  let weights: WeightPath

  var imageSize: ImageSize { configuration.grid.image }
  var takesAnyImageSize: Bool { true }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { classCount ?? configuration.encoder.width }
  var outputName: TowerOutput? { classCount == nil ? .poolerOutput : .logits }

  private var tower: WeightPath {
    classCount == nil ? weights : weights[configuration.family.rawValue]
  }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let pixels = try graph.pixels(configuration.grid, batch: batch)
    let tokens = try tokens(pixels, batch, in: &graph)
    let length = configuration.length
    let segments = try Segments(count: batch, length: length, in: &graph)
    // The embedding is the class token's: the last layer computes no other row.
    let kept =
      classCount == nil ? try graph.indices((0..<batch).map { $0 * length }, at: "class tokens") : nil
    let sizes = configuration.encoder
    let encoder = Encoder(tower["encoder.layer"], count: sizes.layers, layer)
    var x = try encoder(tokens, segments, keeping: kept, in: &graph)
    x = try graph.layerNorm(x, tower["layernorm"], epsilon: sizes.epsilon)
    if let classCount {
      let features = try features(x, batch, in: &graph)
      x = try graph.linear(features, weights["classifier"], outputs: classCount)
    }
    graph.output(x)
    return graph.graph
  }

  private func layer(_ weights: WeightPath) -> EncoderLayer {
    let sizes = configuration.encoder
    let projections = SelfAttention.Projections.separate(
      "attention.attention.query", "attention.attention.key", "attention.attention.value",
      hasBias: configuration.hasProjectionBias)
    return EncoderLayer(
      weights, Norm(.layer, sizes.epsilon),
      SelfAttention(sizes, projections, output: "attention.output.dense"),
      .normFirst("norm1", scaledBy: "layer_scale1.lambda1"),
      configuration.isGated
        ? FeedForward(.stackedGate("mlp.weights_in"), "mlp.weights_out", sizes)
        : FeedForward(.plain("mlp.fc1"), "mlp.fc2", sizes),
      .normFirst("norm2", scaledBy: "layer_scale2.lambda1"))
  }

  /// Class token, registers and patches of each picture: [batch · tokens, width].
  private func tokens(
    _ pixels: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (grid, width) = (configuration.grid, configuration.encoder.width)
    let weights = tower["embeddings"]
    let patches = try graph.patchEmbedding(
      pixels, weights["patch_embeddings.projection"], grid, width: width, hasBias: true)
    let stored = try graph.positions(
      weights, "position_embeddings", shape: [1, 1 + configuration.trained.count, width], prefix: 1,
      grid: grid, by: configuration.filter)
    let positions = try graph.reshape(stored, [1 + grid.count, width], at: weights.key("positions"))
    let first = try graph.gather(
      positions, graph.indices([0], at: "class position"), at: weights.key("class position"))
    let others = try graph.gather(
      positions, graph.indices(Array(1...grid.count), at: "patch positions"),
      at: weights.key("patch positions"))
    let token = try graph.reshape(
      graph.float32(weights, "cls_token", [1, 1, width]), [1, width], at: weights.key("class token"))
    var prefix = [try graph.sum(token, first, at: weights.key("class token sum"))]
    if configuration.registers > 0 {
      prefix.append(try graph.float32(weights, "register_tokens", [1, configuration.registers, width]))
    } else if configuration.family == .withRegisters, weights.contains("register_tokens") {
      // The library saves a tensor without elements; one with any is of another configuration.
      _ = try weights.tensor("register_tokens", [1, 0, width])
    }
    let placed = try graph.sum(
      patches, graph.reshape(others, [1, grid.count, width], at: weights.key("patch positions")),
      at: weights.key("sum"))
    let x = try graph.prepend(prefix, to: placed, at: weights.prefix)
    return try graph.reshape(x, [batch * configuration.length, width], at: weights.key("rows"))
  }

  /// The class token and the mean of the patches side by side: [batch, 2 · width].
  private func features(
    _ x: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let length = configuration.length
    // A segment of the class token, of the registers where there are any, and of the patches.
    let parts = configuration.registers > 0 ? [0, 1, 1 + configuration.registers] : [0, 1]
    let bounds = (0..<batch).flatMap { picture in parts.map { picture * length + $0 } } + [batch * length]
    var means = try graph.apply(
      SegmentMean(), [x, graph.indices(bounds, at: "parts of pictures")], at: "class tokens and means")
    if parts.count > 2 {
      let read = (0..<batch).flatMap { [$0 * parts.count, $0 * parts.count + 2] }
      means = try graph.gather(
        means, graph.indices(read, at: "parts that are read"), at: "class tokens and means of patches")
    }
    return try graph.reshape(means, [batch, 2 * configuration.encoder.width], at: "features")
  }
}

extension HuggingFaceArchitecture {
  static let dinoV2 =
    dinoV2("Dinov2", "DINOv2", .plain)
    + dinoV2("Dinov2WithRegisters", "DINOv2 with registers", .withRegisters)

  private static func dinoV2(
    _ prefix: String, _ name: String, _ family: DINOv2Configuration.Family
  ) -> [HuggingFaceArchitecture] {
    let classifier = HuggingFaceArchitecture(
      "\(prefix)ForImageClassification", family.rawValue, name, .imageClassification
    ) { (reader, imageSize) throws(ApusError) in
      let configuration = try DINOv2Configuration(reader, family, imageSize: imageSize)
      let classes = try ClassConfiguration(reader)
      return { (weights, _) in
        ModelArchitecture(
          image: DINOv2(configuration: configuration, classCount: classes.count, weights: weights),
          outputs: classes.outputs)
      }
    }
    let embedder = HuggingFaceArchitecture(
      "\(prefix)Model", family.rawValue, name, .imageEmbedding
    ) { (reader, imageSize) throws(ApusError) in
      let configuration = try DINOv2Configuration(reader, family, imageSize: imageSize)
      return { (weights, folder) throws(ApusError) in
        let modules = try TowerModules(folder, .imageTower)
        return ModelArchitecture(
          image: DINOv2(configuration: configuration, classCount: nil, weights: weights),
          outputs: .encoder(normalizes: modules?.normalizes ?? false))
      }
    }
    return [classifier, embedder]
  }
}
