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
  ///   - kept: the only rows whose result is wanted, one for each sequence, in order; then the last layer
  ///     computes no others, and the result is [sequences, width]. In a causal encoder each must be the last
  ///     row of its sequence; with a bias or a window, the first.
  func callAsFunction(
    _ x: Value, _ segments: Segments, keeping kept: Value? = nil, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    guard let last = layers.last else {
      guard let kept else { return x }
      return try graph.gather(x, kept, at: "kept rows")
    }
    var x = x
    let before = layers.dropLast()
    for layer in before { x = try layer(x, segments, keeping: nil, in: &graph) }
    let sharesWeights = before.contains { $0.weights.prefix == last.weights.prefix }
    let rows = kept.map { KeptRows(rows: $0, areProjectedWithAll: sharesWeights) }
    return try last(x, segments, keeping: rows, in: &graph)
  }
}

/// The only rows whose result is wanted of a layer.
struct KeptRows {
  let rows: Value
  /// Whether their queries are made together with keys and values, of all rows: by the matrix that an earlier layer
  /// has packed. Apart they would take another.
  let areProjectedWithAll: Bool
}
