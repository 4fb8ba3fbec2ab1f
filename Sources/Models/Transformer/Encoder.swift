import Graph
import TensorCore

/// A stack of transformer layers over the rows of a ragged batch (Vaswani et al. 2017).
struct Encoder {
  /// In the order in which they run. Several may have the same weights, which are then packed once.
  let layers: [EncoderLayer]

  init(_ layers: [EncoderLayer]) { self.layers = layers }

  /// - Parameters:
  ///   - weights: the places of so many layers are its numbered members.
  ///   - layer: that at a place.
  init(_ weights: WeightPath, count: Int, _ layer: (WeightPath) -> EncoderLayer) {
    layers = (0..<count).map { layer(weights[$0]) }
  }

  /// - Parameters:
  ///   - x: float32 [rows, width].
  ///   - kept: the only rows whose result is wanted, one for each sequence, in order; the result is then [sequences, width],
  ///     and the last layer computes no others where its attention takes such rows by themselves.
  ///   - end: where in its sequence each of them stands.
  func callAsFunction(
    _ x: Value, _ segments: Segments, keeping kept: Value? = nil, at end: SequenceEnd = .first,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var x = x
    var rest = kept
    for (index, layer) in layers.enumerated() {
      guard let kept, index == layers.count - 1, layer.attention.takesOne(at: end) else {
        x = try layer(x, segments, in: &graph)
        continue
      }
      let sharesWeights = layers.dropLast().contains { $0.weights.prefix == layer.weights.prefix }
      x = try layer(
        x, segments, keeping: KeptRows(rows: kept, areProjectedWithAll: sharesWeights), in: &graph)
      rest = nil
    }
    return try rest.map { (rows) throws(ApusError) in try graph.gather(x, rows, at: "kept rows") } ?? x
  }
}

/// The first row of a sequence or its last.
enum SequenceEnd: Sendable { case first, last }

/// The only rows whose result is wanted of a layer.
struct KeptRows {
  let rows: Value
  /// Whether their queries are made together with keys and values, of all rows: by the matrix that an earlier layer
  /// has packed. Apart they would take another.
  let areProjectedWithAll: Bool
}
