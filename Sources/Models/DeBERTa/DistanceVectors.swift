import Graph
import Synchronization
import TensorCore

/// The learned vectors of DeBERTa's distances as each layer projects them.
///
/// They follow from weights alone, and are projected once, in float32, for the graphs of all shapes. A graph takes those of
/// the distances that its texts can have, up to a power of 2 of tokens, so that few different ones are packed; graphs of the
/// same power share them.
final class DistanceVectors: Sendable {
  private let configuration: DeBERTaConfiguration
  /// By the layer's place.
  private let known = Mutex<[String: Projected]>([:])
  private let parts = Mutex<[Part: Tensor]>([:])

  /// Of one layer, float32 [heads, 2 · span, headWidth], times what attention scales its products by.
  private struct Projected: Sendable {
    let forQueries: Tensor?
    let forKeys: Tensor?
  }

  /// Some rows of each head of the vectors of a name.
  private struct Part: Hashable {
    let name: String
    let rows: Range<Int>
  }

  /// Distances that every graph has vectors for, at least.
  private static let leastLength = 16

  init(_ configuration: DeBERTaConfiguration) { self.configuration = configuration }

  private var attention: DisentangledAttention { configuration.attention }

  /// What layers take for texts of so many tokens together.
  /// - Parameters:
  ///   - layers: the places of their weights.
  ///   - weights: those of the encoder.
  func operands(
    tokens: Int, _ layers: [WeightPath], _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> [DistanceOperands] {
    var length = Self.leastLength
    while length < tokens { length *= 2 }
    let places = ((1 - length)..<length).map { attention.bucket(of: -$0) }
    var rows = (places.min() ?? 0)..<((places.max() ?? 0) + 1)
    // The first is the one of no distance that buckets have.
    if rows.count >= 2 * attention.span - 1 { rows = 0..<(2 * attention.span) }
    let table = try graph.indices(places.map { $0 - rows.lowerBound }, at: "buckets of distances")
    var operands: [DistanceOperands] = []
    for layer in layers {
      let vectors = try known.withLock { (known) throws(ApusError) -> Projected in
        if let found = known[layer.prefix] { return found }
        let made = try projected(layer["attention.self"], weights)
        known[layer.prefix] = made
        return made
      }
      let place = layer.key("attention.self")
      operands.append(
        DistanceOperands(
          forQueries: try constant(vectors.forQueries, rows, "\(place) content to position", in: &graph),
          forKeys: try constant(vectors.forKeys, rows, "\(place) position to content", in: &graph),
          buckets: table))
    }
    return operands
  }

  /// Some rows of each head.
  private func constant(
    _ vectors: Tensor?, _ rows: Range<Int>, _ name: String, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value? {
    guard let vectors else { return nil }
    guard rows.count < vectors.shape[1] else { return graph.constant(name, vectors) }
    let part = try parts.withLock { (parts) throws(ApusError) -> Tensor in
      let key = Part(name: name, rows: rows)
      if let known = parts[key] { return known }
      let made = try Self.part(vectors, rows)
      parts[key] = made
      return made
    }
    return graph.constant(name, part)
  }

  private static func part(_ vectors: Tensor, _ rows: Range<Int>) throws(ApusError) -> Tensor {
    let (heads, count, width) = (vectors.shape[0], vectors.shape[1], vectors.shape[2])
    let byteCount = MemoryLayout<Float>.stride * width
    let type = TensorType(.float32, try Shape([heads, rows.count, width]))
    return try Tensor(type) { bytes in
      vectors.withBytes { all in
        for head in 0..<heads {
          let source = (head * count + rows.lowerBound) * byteCount
          let target = head * rows.count * byteCount
          bytes[target..<(target + rows.count * byteCount)].copyBytes(
            from: all[source..<(source + rows.count * byteCount)])
        }
      }
    }
  }

  private func projected(_ layer: WeightPath, _ weights: WeightPath) throws(ApusError) -> Projected {
    let names =
      attention.sharesProjections ? ("key_proj", "query_proj") : ("pos_key_proj", "pos_query_proj")
    return Projected(
      forQueries: attention.addsToQueries ? try projected(layer[names.0], of: weights) : nil,
      forKeys: attention.addsToKeys ? try projected(layer[names.1], of: weights) : nil)
  }

  /// The vectors times a matrix, head by head.
  private func projected(_ matrix: WeightPath, of weights: WeightPath) throws(ApusError) -> Tensor {
    let (encoder, count) = (configuration.encoder, 2 * attention.span)
    var apart = GraphBuilder()
    var vectors = try apart.float32(weights["rel_embeddings"], "weight", [count, encoder.width])
    if attention.normalizes {
      vectors = try apart.layerNorm(vectors, weights["LayerNorm"], epsilon: encoder.epsilon)
    }
    let result = try apart.linear(vectors, matrix, outputs: encoder.width)
    guard let numbers = try apart[result].constant?.elements(of: Float.self) else {
      throw ApusError(
        .resources, "\(count) relative positions of \(encoder.width) features",
        expected: "fewer: they are projected when the model is opened", at: weights.key("rel_embeddings"))
    }
    var turned: [Float] = []
    turned.reserveCapacity(numbers.count)
    for head in 0..<encoder.heads {
      for row in 0..<count {
        let first = row * encoder.width + head * encoder.headWidth
        for number in numbers[first..<(first + encoder.headWidth)] { turned.append(encoder.scale * number) }
      }
    }
    return try Tensor(turned, shape: Shape([encoder.heads, count, encoder.headWidth]))
  }
}
