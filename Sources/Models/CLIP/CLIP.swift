import Formats
import Foundation
import Graph
import TensorCore

/// The picture's tower of CLIP (Radford et al. 2021): a vision transformer whose class token is projected.
struct CLIPImageTower: ImageTower {
  let configuration: CLIPConfiguration
  let weights: WeightPath

  private var image: CLIPConfiguration.Image { configuration.image }
  private var names: CLIPNames { configuration.names }
  var imageSize: ImageSize { image.grid.image }
  var channels: Int { image.grid.channels }
  var outputWidth: Int { configuration.commonWidth }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let (encoder, grid) = (image.encoder, image.grid)
    let tower = weights[names.image]
    let pixels = try graph.pixels(grid, batch: batch)
    let patches = try graph.patchEmbedding(
      pixels, tower[names.patches], grid, width: encoder.width, hasBias: false)
    let token = try graph.float32(tower, names.classToken, [encoder.width])
    var x = try graph.prepend([token], to: patches, at: tower.key("tokens"))
    let positions = try graph.positions(
      tower, names.imagePositions, shape: [1 + image.trained.count, encoder.width], prefix: 1,
      trained: image.trained, grid: grid)
    x = try graph.sum(x, positions, at: tower.key("sum"))
    let length = 1 + grid.count
    x = try graph.reshape(x, [batch * length, encoder.width], at: tower.key("rows"))
    x = try graph.layerNorm(x, tower[names.normBefore], epsilon: encoder.epsilon)
    let segments = try Segments(count: batch, length: length, in: &graph)
    let first = try graph.indices((0..<batch).map { $0 * length }, at: "class tokens")
    x = try Encoder(configuration: encoder, names: names.encoder)(
      x, segments, tower[names.layers], keeping: first, in: &graph)
    x = try graph.layerNorm(x, tower[names.normAfter], epsilon: encoder.epsilon)
    graph.output(try graph.project(x, names.imageProjection, weights, to: configuration.commonWidth))
    return graph.graph
  }
}

/// The text's tower of CLIP: a causal transformer whose end token is projected.
struct CLIPTextTower: TextTower {
  let configuration: CLIPConfiguration
  let weights: WeightPath

  private var text: CLIPConfiguration.Text { configuration.text }
  private var names: CLIPNames { configuration.names }
  var maximumTokens: Int { text.maximumTokens }
  var outputWidth: Int { configuration.commonWidth }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let encoder = text.encoder
    let inputs = try TextInputs(tokens: tokens, sequences: sequences, pools: true, in: &graph)
    let tower = weights[names.text]
    let words = try graph.embedding(
      inputs.ids, tower, names.tokens, rows: text.vocabulary, width: encoder.width)
    let positions = try graph.embedding(
      inputs.positions, tower, names.textPositions, rows: text.maximumTokens, width: encoder.width)
    var x = try graph.sum(words, positions, at: tower.key("embeddings"))
    x = try Encoder(configuration: encoder, names: names.encoder)(
      x, inputs.segments, tower[names.layers], keeping: inputs.pooledRows, in: &graph)
    x = try graph.layerNorm(x, tower[names.textNorm], epsilon: encoder.epsilon)
    graph.output(try graph.project(x, names.textProjection, weights, to: configuration.commonWidth))
    return graph.graph
  }

  /// Tokens behind the one that is pooled are left out: it does not see them.
  func inputs(_ sequences: [[Int32]]) throws(ApusError) -> [Tensor] {
    _ = try TextBatch(sequences, maximumTokens: maximumTokens)
    let seen = sequences.map { Array($0[...text.pooling.position(in: $0)]) }
    let batch = try TextBatch(seen, maximumTokens: maximumTokens)
    return try batch.tensors(batch.lastRows)
  }
}

extension DualEncoder {
  /// CLIP's towers, with the scale (and the bias, where it was trained with one) that it learned.
  static func clip(_ configuration: CLIPConfiguration, _ weights: WeightPath) throws(ApusError) -> DualEncoder
  {
    let bias = try weights.scalarIfPresent("logit_bias")
    return DualEncoder(
      image: CLIPImageTower(configuration: configuration, weights: weights),
      text: CLIPTextTower(configuration: configuration, weights: weights),
      logitScale: exp(try weights.scalar("logit_scale")), logitBias: bias ?? 0,
      scoring: bias == nil ? .softmax : .sigmoid)
  }
}

extension GraphBuilder {
  /// The projection to the common space, which has no offset.
  fileprivate mutating func project(
    _ x: Value, _ projection: CLIPNames.Projection, _ weights: WeightPath, to width: Int
  ) throws(ApusError) -> Value {
    switch projection {
    case .linear(let path): try linear(x, weights[path], outputs: width, hasBias: false)
    case .transposed(let name): try self.projection(x, weights, name, outputs: width)
    }
  }
}
