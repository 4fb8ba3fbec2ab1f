import Graph
import TensorCore

/// The learned vectors of DeBERTa's distances, as each layer takes them.
///
/// A graph takes those of the distances that its texts can have, up to a power of 2 of tokens, so that few different ones
/// are projected and packed; graphs of the same power share them.
struct DistanceVectors: Sendable {
  let configuration: DeBERTaConfiguration

  /// Distances that every graph has vectors for, at least.
  private static let leastLength = 16

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
    // Where distances share buckets, row 0 belongs to none up to the farthest. Texts that reach all other rows take it too,
    // so that longer ones, whatever rows they reach, share the same vectors.
    if rows.count >= 2 * attention.span - 1 { rows = 0..<(2 * attention.span) }
    let buckets = try graph.indices(places.map { $0 - rows.lowerBound }, at: "buckets of distances")
    let vectors = try vectors(rows, weights, in: &graph)
    let norm = try norm(weights, in: &graph)
    let (queries, keys) =
      attention.sharesProjections ? ("key_proj", "query_proj") : ("pos_key_proj", "pos_query_proj")
    var operands: [DistanceOperands] = []
    for layer in layers {
      let place = layer["attention.self"]
      operands.append(
        DistanceOperands(
          vectors: vectors, norm: norm,
          forQueries: attention.addsToQueries ? try projection(place[queries]) : nil,
          forKeys: attention.addsToKeys ? try projection(place[keys]) : nil, buckets: buckets))
    }
    return operands
  }

  /// Some rows of the table, of a float type.
  private func vectors(
    _ rows: Range<Int>, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let path = weights["rel_embeddings"]
    let table = try path.weight("weight", [2 * attention.span, configuration.encoder.width])
    let part = try table.rows(rows)
    let stored = graph.constant(part)
    return part.tensor.dataType.isFloat
      ? stored : try graph.apply(Dequantize(), [stored], at: path.key("weight"))
  }

  private func norm(
    _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> (scale: Value, offset: Value, epsilon: Float)? {
    guard attention.normalizes else { return nil }
    let encoder = configuration.encoder
    let factors = try graph.normFactors(weights["LayerNorm"], width: encoder.width)
    return (factors.scale, factors.offset, encoder.epsilon)
  }

  private func projection(_ weights: WeightPath) throws(ApusError) -> Projection {
    let width = configuration.encoder.width
    return try Projection(weights, inputs: width, outputs: width)
  }
}
