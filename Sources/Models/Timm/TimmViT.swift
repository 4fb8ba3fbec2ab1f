import Graph
import TensorCore

/// A vision transformer of timm as a classifier of pictures (Dosovitskiy et al. 2021).
struct TimmViT: ImageTower {
  let configuration: TimmViTConfiguration
  /// The root of the file.
  let weights: WeightPath

  var imageSize: ImageSize { configuration.grid.image }
  var channels: Int { configuration.grid.channels }
  var outputWidth: Int { configuration.classCount }

  private var options: TimmViTOptions { configuration.options }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let length = configuration.length
    let pixels = try graph.pixels(configuration.grid, batch: batch)
    var x = try tokens(pixels, batch, in: &graph)
    if options.normalizesTokens { x = try normalized(x, "norm_pre", in: &graph) }
    let segments = try Segments(count: batch, length: length, in: &graph)
    let stack = Encoder(weights["blocks"], count: options.layers, layer)
    if options.hasDistillationToken {
      x = try stack(x, segments, in: &graph)
      let both = (0..<batch).flatMap { [$0 * length, $0 * length + 1] }
      x = try graph.gather(x, graph.indices(both, at: "read tokens"), at: "class tokens")
      x = try normalized(x, "norm", in: &graph)
      graph.output(
        try graph.distilledLogits(
          x, (weights["head"], weights["head_dist"]), batch: batch, outputs: outputWidth))
      return graph.graph
    }
    switch options.pooling {
    case .classToken:
      // The last layer computes no other row.
      let kept = try graph.indices((0..<batch).map { $0 * length }, at: "class tokens")
      x = try stack(x, segments, keeping: kept, in: &graph)
      x = try normalized(x, options.normalizesPooled ? "fc_norm" : "norm", in: &graph)
    case .mean:
      x = try stack(x, segments, in: &graph)
      if !options.normalizesPooled { x = try normalized(x, "norm", in: &graph) }
      x = try means(x, batch, in: &graph)
      if options.normalizesPooled { x = try normalized(x, "fc_norm", in: &graph) }
    }
    graph.output(try graph.linear(x, weights["head"], outputs: outputWidth))
    return graph.graph
  }

  private func layer(_ weights: WeightPath) -> EncoderLayer {
    let sizes = options.encoder
    let factors = options.scalesLayers ? ("ls1.gamma", "ls2.gamma") : nil
    return EncoderLayer(
      weights, Norm(.layer, sizes.epsilon),
      SelfAttention(
        sizes, .stacked(LinearLayer("attn.qkv", hasBias: options.hasProjectionBias)), output: "attn.proj"),
      .normFirst("norm1", scaledBy: factors?.0),
      FeedForward(options.isGated ? .stackedGate("mlp.fc1") : .plain("mlp.fc1"), "mlp.fc2", sizes),
      .normFirst("norm2", scaledBy: factors?.1))
  }

  private func normalized(
    _ x: Value, _ name: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    try graph.layerNorm(x, weights[name], epsilon: options.epsilon)
  }

  /// All tokens of each picture with their positions: [batch · tokens, width].
  private func tokens(
    _ pixels: Value, _ batch: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (width, length) = (options.width, configuration.length)
    var x = try graph.patchEmbedding(
      pixels, weights["patch_embed.proj"], configuration.grid, width: width,
      hasBias: !options.normalizesTokens)
    let positions = try positions(in: &graph)
    if !options.placesPrefix { x = try graph.sum(x, positions, at: "placed patches") }
    let prefix = try prefix(in: &graph)
    if !prefix.isEmpty { x = try graph.prepend(prefix, to: x, at: "tokens") }
    if options.placesPrefix { x = try graph.sum(x, positions, at: "placed tokens") }
    return try graph.reshape(x, [batch * length, width], at: "rows")
  }

  /// What stands before the patches: [1, tokens, width] each.
  private func prefix(in graph: inout GraphBuilder) throws(ApusError) -> [Value] {
    let width = options.width
    var prefix: [Value] = []
    if options.hasClassToken { prefix.append(try graph.float32(weights, "cls_token", [1, 1, width])) }
    if options.hasDistillationToken {
      prefix.append(try graph.float32(weights, "dist_token", [1, 1, width]))
    }
    if options.registers > 0 {
      prefix.append(try graph.float32(weights, "reg_token", [1, options.registers, width]))
    }
    return prefix
  }

  /// [1, placed tokens, width], interpolated where the pictures are of another grid.
  private func positions(in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let (width, prefix, name) = (options.width, options.placedPrefix, "pos_embed")
    var extent = storedExtent(of: name)
    let stored = try graph.float32(weights, name, [1, prefix + extent.count, width])
    guard configuration.steps.contains(where: { $0.extent != extent }), let table = graph[stored].constant
    else { return stored }
    var numbers: [Float] = try table.elements()
    for step in configuration.steps where step.extent != extent {
      numbers = PositionGrid.interpolate(
        numbers, width: width, prefix: prefix, from: extent, to: step.extent, by: .antialiased)
      extent = step.extent
    }
    let shape = try Shape([1, prefix + extent.count, width])
    return graph.constant("interpolated positions", try Tensor(numbers, shape: shape))
  }

  /// That of the pictures that the file states; of as many positions as those have not, a square.
  private func storedExtent(of name: String) -> PositionGrid.Extent {
    let stated = configuration.stored.extent
    guard let shape = weights.shape(of: name), shape.count == 3,
      shape[1] != options.placedPrefix + stated.count,
      let side = PositionGrid.side(ofSquare: shape[1] - options.placedPrefix)
    else { return stated }
    return PositionGrid.Extent(rows: side, columns: side)
  }

  /// The mean of each picture's patches: [batch, width].
  private func means(_ x: Value, _ batch: Int, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let length = configuration.length
    // A segment of the tokens before the patches, where there are any, and of the patches.
    let parts = options.prefix > 0 ? [0, options.prefix] : [0]
    let bounds = (0..<batch).flatMap { picture in parts.map { picture * length + $0 } } + [batch * length]
    let means = try graph.apply(
      SegmentMean(), [x, graph.indices(bounds, at: "parts of pictures")], at: "means")
    guard parts.count > 1 else { return means }
    let patches = try graph.indices((0..<batch).map { 2 * $0 + 1 }, at: "parts that are read")
    return try graph.gather(means, patches, at: "means of patches")
  }
}

extension ModelArchitecture {
  /// timm's vision transformer of a name.
  static func timmViT(
    _ configuration: TimmViTConfiguration, _ weights: WeightPath
  ) throws(ApusError) -> ModelArchitecture {
    try configuration.requireItsTensors(weights)
    return ModelArchitecture(
      image: TimmViT(configuration: configuration, weights: weights),
      outputs: .classifier(labels: configuration.labels, scoring: .softmax))
  }
}

extension TimmViTConfiguration {
  /// Refuses weights with parts that the network has not: with them it would be another.
  fileprivate func requireItsTensors(_ weights: WeightPath) throws(ApusError) {
    let found = weights.count(of: "blocks")
    guard found > 0 else {
      throw weights["blocks.0.norm1"].missing("weight", "one of shape [\(options.width)]")
    }
    guard found == options.layers else {
      throw ApusError(
        .malformedModel, "\(found) layers in blocks", expected: "the \(options.layers) of \(depthSource)",
        file: weights.collection.path)
    }
    try refuseFurtherLayers(weights)
    try refuse(ofNetwork, in: weights)
    for layer in 0..<options.layers { try refuse(ofLayer, in: weights["blocks.\(layer)"]) }
  }

  /// Refuses layers behind a gap in the numbers, which counting them does not reach.
  private func refuseFurtherLayers(_ weights: WeightPath) throws(ApusError) {
    let prefix = "blocks."
    for tensor in weights.collection.names where tensor.hasPrefix(prefix) {
      let number = tensor.dropFirst(prefix.count).prefix { $0 != "." }
      guard let layer = Int(number), layer >= options.layers else { continue }
      throw ApusError(
        .malformedModel, "is of layer \(layer)", expected: "the \(options.layers) layers of \(depthSource)",
        at: "tensor '\(tensor.clipped)'", file: weights.collection.path)
    }
  }

  private typealias Part = (name: String, isTaken: Bool)

  private var ofNetwork: [Part] {
    [
      ("cls_token", options.hasClassToken), ("dist_token", options.hasDistillationToken),
      ("reg_token", options.registers > 0), ("head_dist", options.hasDistillationToken),
      ("norm_pre", options.normalizesTokens), ("norm", !options.normalizesPooled),
      ("fc_norm", options.normalizesPooled), ("patch_embed.proj.bias", !options.normalizesTokens),
      ("patch_embed.norm", false),
      // The library passes over the head of SigLIP's towers where their patches are averaged.
      ("attn_pool", name.contains("_siglip_")),
    ]
  }

  private var ofLayer: [Part] {
    [
      ("ls1", options.scalesLayers), ("ls2", options.scalesLayers),
      ("attn.qkv.bias", options.hasProjectionBias), ("attn.q_norm", false), ("attn.k_norm", false),
      ("attn.norm", false), ("attn.gate", false), ("mlp.norm", false),
    ]
  }

  private func refuse(_ parts: [Part], in weights: WeightPath) throws(ApusError) {
    for part in parts where !part.isTaken {
      guard weights.contains(part.name) || weights.hasTensors(below: part.name) else { continue }
      throw ApusError(
        .malformedModel, "is there", expected: "none, as \(name) has it",
        at: "tensor '\(weights.key(part.name))'",
        file: weights.collection.path)
    }
  }
}
