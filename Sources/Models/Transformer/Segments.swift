import Graph
import TensorCore

/// How the rows of a matrix belong to the sequences of a batch.
struct Segments {
  /// How many sequences there are.
  let count: Int
  /// int32 [count + 1]: sequence b has the rows `bounds[b]..<bounds[b + 1]`.
  let bounds: Value

  init(count: Int, bounds: Value) {
    self.count = count
    self.bounds = bounds
  }

  /// Sequences that all have `length` rows.
  init(count: Int, length: Int, in graph: inout GraphBuilder) throws(ApusError) {
    self.count = count
    bounds = try graph.indices((0...count).map { $0 * length }, at: "segments of \(length)")
  }
}
