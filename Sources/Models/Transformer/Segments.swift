import Graph
import TensorCore

/// How the rows of a matrix belong to the sequences of a batch.
struct Segments {
  /// How many sequences there are.
  let count: Int
  /// int32 [count + 1]: sequence b has the rows `bounds[b]..<bounds[b + 1]`. Where ``perSequence`` is 2, the bounds of
  /// twice as many segments, of which the second of each sequence is empty.
  let bounds: Value
  /// As many: the rows that those of each segment attend.
  let keys: Value
  /// 2 where sequences have rows that attend and are not attended, else 1. As the bounds of keys leave no row out, those
  /// stand in a second segment, in which nothing attends.
  let perSequence: Int

  init(count: Int, bounds: Value) {
    (self.count, self.bounds, keys, perSequence) = (count, bounds, bounds, 1)
  }

  /// Sequences of two segments each.
  init(count: Int, bounds: Value, keys: Value) {
    (self.count, self.bounds, self.keys, perSequence) = (count, bounds, keys, 2)
  }

  /// Sequences that all have `length` rows.
  init(count: Int, length: Int, in graph: inout GraphBuilder) throws(ApusError) {
    self.init(
      count: count,
      bounds: try graph.indices((0...count).map { $0 * length }, at: "segments of \(length)"))
  }

  /// The bounds, beside ``keys``, of queries of which each sequence has one.
  func singleQueries(in graph: inout GraphBuilder) throws(ApusError) -> Value {
    try graph.indices(
      (0...(count * perSequence)).map { ($0 + perSequence - 1) / perSequence }, at: "segments of 1")
  }
}
