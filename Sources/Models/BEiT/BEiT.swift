import Graph
import TensorCore

/// BEiT, a vision transformer that was trained to find masked patches (Bao et al. 2022), as a classifier of pictures.
struct BEiT: ImageTower {
  let configuration: BEiTConfiguration
  /// The root of the file.
  let weights: WeightPath
  private let bias: PatchPositionBias

  init(configuration: BEiTConfiguration, weights: WeightPath) {
    self.configuration = configuration
    self.weights = weights
    let grid = configuration.grid
    bias = PatchPositionBias(heads: configuration.encoder.heads, rows: grid.rows, columns: grid.columns)
  }

  var imageSize: ImageSize { configuration.grid.image }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { configuration.classes.count }

  private var tower: WeightPath { weights["beit"] }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let (encoder, length) = (configuration.encoder, configuration.length)
    let pixels = try graph.pixels(configuration.grid, batch: batch)
    let tokens = try tokens(pixels, batch, in: &graph)
    let segments = try Segments(count: batch, length: length, in: &graph)
    // Of a classified class token the last layer computes no other row.
    let kept =
      configuration.averagesPatches
      ? nil : try graph.indices((0..<batch).map { $0 * length }, at: "class tokens")
    var x = try Encoder(layers(in: &graph))(tokens, segments, keeping: kept, in: &graph)
    if configuration.averagesPatches { x = try means(x, batch, in: &graph) }
    let norm = tower[configuration.averagesPatches ? "pooler.layernorm" : "layernorm"]
    x = try graph.layerNorm(x, norm, epsilon: encoder.epsilon)
    graph.output(try graph.linear(x, weights["classifier"], outputs: outputWidth))
    return graph.graph
  }

  /// Class token and patches of each picture: [batch · tokens, width].
  private func tokens(
    _ pixels: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (grid, width, length) = (configuration.grid, configuration.encoder.width, configuration.length)
    let weights = tower["embeddings"]
    let patches = try graph.patchEmbedding(
      pixels, weights["patch_embeddings.projection"], grid, width: width, hasBias: true)
    let token = try graph.float32(weights, "cls_token", [1, 1, width])
    var x = try graph.prepend([token], to: patches, at: weights.prefix)
    if configuration.hasPositions {
      let positions = try graph.float32(weights, "position_embeddings", [1, length, width])
      x = try graph.sum(x, positions, at: weights.key("sum"))
    }
    return try graph.reshape(x, [batch * length, width], at: weights.key("rows"))
  }

  private func layers(in graph: inout GraphBuilder) throws(ApusError) -> [EncoderLayer] {
    let shared = configuration.hasSharedBias ? [tower["encoder.relative_position_bias"]] : []
    var layers: [EncoderLayer] = []
    for index in 0..<configuration.encoder.layers {
      var layer = layer(tower["encoder.layer"][index])
      let own =
        configuration.hasOwnBias ? [layer.weights["attention.attention.relative_position_bias"]] : []
      layer.attention.bias = try bias.mask(own + shared, in: &graph).map { .positions($0) }
      layers.append(layer)
    }
    return layers
  }

  private func layer(_ weights: WeightPath) -> EncoderLayer {
    .vit(
      weights, configuration.encoder,
      .separate(
        "attention.attention.query", .withoutBias("attention.attention.key"), "attention.attention.value"),
      scaledBy: configuration.scalesLayers ? ("lambda_1", "lambda_2") : nil)
  }

  /// The mean of each picture's patches: [batch, width].
  private func means(_ x: Value, _ batch: Int, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let length = configuration.length
    let bounds = (0..<batch).flatMap { [$0 * length, $0 * length + 1] } + [batch * length]
    let means = try graph.apply(
      SegmentMean(), [x, graph.indices(bounds, at: "parts of pictures")], at: "class tokens and means")
    let patches = try graph.indices((0..<batch).map { 2 * $0 + 1 }, at: "parts that are read")
    return try graph.gather(means, patches, at: "means of patches")
  }
}

extension HuggingFaceArchitecture {
  static let beit = [
    HuggingFaceArchitecture("BeitForImageClassification", "beit", "BEiT", .imageClassification) {
      (reader, imageSize) throws(ApusError) in
      let configuration = try BEiTConfiguration(reader, imageSize: imageSize)
      return { (weights, _) in
        ModelArchitecture(
          image: BEiT(configuration: configuration, weights: weights), outputs: configuration.classes.outputs)
      }
    }
  ]
}
