import Graph
import TensorCore

/// Swin Transformer, whose layers attend in windows and which halves the sides of its grid of tokens from stage to stage, as
/// a classifier of pictures (Liu et al. 2021).
struct Swin: ImageTower {
  let configuration: SwinConfiguration
  /// The root of the file.
  let weights: WeightPath
  private let bias = WindowPositionBias()

  init(configuration: SwinConfiguration, weights: WeightPath) {
    self.configuration = configuration
    self.weights = weights
  }

  var imageSize: ImageSize { configuration.image }
  var takesAnyImageSize: Bool { configuration.trained == nil }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { configuration.classes.count }

  private var tower: WeightPath { weights["swin"] }

  /// The ε of the normalisations before the first stage and between two.
  private static let epsilon: Float = 1e-5

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    var tokens = PlacedTokens(
      try patches(batch, in: &graph), order: Array(0..<configuration.grid.count), batch: batch)
    for (index, stage) in configuration.stages.enumerated() {
      if index > 0 {
        let before = configuration.stages[index - 1]
        let weights = tower["encoder.layers"][index - 1]["downsample"]
        tokens = try merged(tokens, of: before, to: stage, weights, in: &graph)
      }
      try attend(stage, tower["encoder.layers"][index]["blocks"], &tokens, in: &graph)
    }
    let epsilon = configuration.stages[0].encoder.epsilon
    let x = try graph.layerNorm(tokens.features, tower["layernorm"], epsilon: epsilon)
    let pictures = try Segments(count: batch, length: tokens.order.count, in: &graph)
    let means = try graph.apply(SegmentMean(), [x, pictures.bounds], at: "means of tokens")
    graph.output(try graph.linear(means, weights["classifier"], outputs: outputWidth))
    return graph.graph
  }

  /// The tokens that a batch of pictures begins with, row by row of the grid: [batch · tokens, width].
  private func patches(_ batch: Int, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let (grid, image) = (configuration.grid, configuration.image)
    let weights = tower["embeddings"]
    let shape = try Shape([batch, image.height, image.width, grid.channels])
    var pixels = graph.input("pixel_values", TensorType(.float32, shape))
    if grid.image != image {
      let (down, right) = (grid.image.height - image.height, grid.image.width - image.width)
      let amounts = [0, 0, 0, down, 0, right, 0, 0].map { Int32(clamping: $0) }
      let paddings = graph.constant(weights.key("paddings"), try Tensor(amounts, shape: Shape([4, 2])))
      pixels = try graph.apply(Pad(), [pixels, paddings], at: weights.key("whole patches"))
    }
    let width = configuration.stages[0].encoder.width
    var x = try graph.patchEmbedding(
      pixels, weights["patch_embeddings.projection"], grid, width: width, hasBias: true)
    x = try graph.layerNorm(x, weights["norm"], epsilon: Self.epsilon)
    if let trained = configuration.trained {
      let positions = try graph.positions(
        weights, "position_embeddings", shape: [1, trained.count, width], prefix: 0, trained: trained,
        grid: grid)
      x = try graph.sum(x, positions, at: weights.key("sum"))
    }
    return try graph.reshape(x, [batch * grid.count, width], at: weights.key("rows"))
  }

  /// The blocks of a stage.
  private func attend(
    _ stage: SwinConfiguration.Stage, _ weights: WeightPath, _ tokens: inout PlacedTokens,
    in graph: inout GraphBuilder
  ) throws(ApusError) {
    let partitions = [false, true].map { stage.windows(isShifted: $0) }
    let (places, kinds) = (partitions.map(\.tokens), partitions.map(\.kindIndices))
    // Where windows have places without a token, tokens keep their order.
    let attendedRows = zip(partitions, places).map { windows, places in
      windows.isPadded ? AttendedRows(tokens.rows(of: places)) : nil
    }
    let projections = SelfAttention.Projections.separate(
      "attention.self.query", "attention.self.key", "attention.self.value",
      hasBias: configuration.hasProjectionBias)
    let segments = try Segments(
      count: tokens.batch * partitions[0].count, length: partitions[0].area, in: &graph)
    for index in 0..<stage.encoder.layers {
      let parity = index % 2
      var layer = EncoderLayer.vit(weights[index], stage.encoder, projections)
      let mask = try bias.mask(
        layer.weights["attention.self"], heads: stage.encoder.heads, partitions[parity], in: &graph)
      layer.attention.bias = .positions(mask, order: kinds[parity])
      layer.attention.attendedRows = attendedRows[parity]
      if attendedRows[parity] == nil {
        try tokens.reorder(
          to: places[parity].compactMap(\.self), at: layer.weights.key("tokens by window"), in: &graph)
      }
      tokens.features = try layer(tokens.features, segments, in: &graph)
    }
  }

  /// Each square of two by two tokens as one of the next stage; zeros in the place of those that are not there.
  private func merged(
    _ tokens: PlacedTokens, of stage: SwinConfiguration.Stage, to next: SwinConfiguration.Stage,
    _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> PlacedTokens {
    let order = next.order
    var sources: [Int?] = []
    sources.reserveCapacity(4 * order.count)
    for token in order {
      let (row, column) = token.quotientAndRemainder(dividingBy: next.columns)
      for right in [2 * column, 2 * column + 1] {
        for down in [2 * row, 2 * row + 1] {
          sources.append(down < stage.rows && right < stage.columns ? down * stage.columns + right : nil)
        }
      }
    }
    let rows = tokens.rows(of: sources)
    var x = try graph.gather(tokens.features, rows: rows, at: weights.key("squares"))
    x = try graph.reshape(
      x, [tokens.batch * order.count, 4 * stage.encoder.width], at: weights.key("rows"))
    x = try graph.layerNorm(x, weights["norm"], epsilon: Self.epsilon)
    x = try graph.linear(x, weights["reduction"], outputs: next.encoder.width, hasBias: false)
    return PlacedTokens(x, order: order, batch: tokens.batch)
  }
}

extension HuggingFaceArchitecture {
  static let swin = [
    HuggingFaceArchitecture("SwinForImageClassification", "swin", "Swin", .imageClassification) {
      (reader, imageSize) throws(ApusError) in
      let configuration = try SwinConfiguration(reader, imageSize: imageSize)
      return { (weights, _) throws(ApusError) in
        try configuration.requireItsTensors(weights["swin"])
        return ModelArchitecture(
          image: Swin(configuration: configuration, weights: weights), outputs: configuration.classes.outputs)
      }
    }
  ]
}

extension SwinConfiguration {
  /// Refuses weights with parts that the network has not: with them it would be another.
  /// - Parameter tower: the place of all but the classifier.
  fileprivate func requireItsTensors(_ tower: WeightPath) throws(ApusError) {
    var others = ["encoder.layers.\(stages.count)"]
    if trained == nil { others.append("embeddings.position_embeddings") }
    for (index, stage) in stages.enumerated() {
      let blocks = "encoder.layers.\(index).blocks"
      others.append("\(blocks).\(stage.encoder.layers)")
      guard !hasProjectionBias else { continue }
      others += ["query", "key", "value"].map { "\(blocks).0.attention.self.\($0).bias" }
    }
    for name in others {
      guard tower.contains(name) || tower.hasTensors(below: name) else { continue }
      throw ApusError(
        .malformedModel, "is there", expected: "none, as config.json has it",
        at: "tensor '\(tower.key(name))'", file: tower.collection.path)
    }
  }
}
