import Graph
import TensorCore

/// Positions and types of tokens as one table, as BERT has them: a row for each position with type 0 added, then for each
/// with type 1; of a model without positions, a row for each type. A type so takes neither an input of the graph nor an
/// addition in a run, and a text by itself takes the rows that it would take from a table of positions.
final class TypedPositions: Sendable {
  /// Rows of the table of positions; nil of a model without one.
  private let positions: Int?
  private let tokenTypes: Int
  private let width: Int
  /// The table, which the graphs of all shapes share; nil before the first.
  private let known = Lock<ValueInfo?>(nil)

  /// Types that have rows: tokenizers tell two texts apart, whatever else a model has a type for.
  private static let mostTypes = 2

  init(_ configuration: BERTConfiguration) {
    (positions, tokenTypes) = (configuration.positions, configuration.tokenTypes)
    width = configuration.embeddingWidth
  }

  /// - Parameters:
  ///   - positions: rows of the table of positions; nil of a model without one, which must then have types.
  ///   - tokenTypes: rows of the table of types; 0 of a model without one.
  init(positions: Int?, tokenTypes: Int, width: Int) {
    (self.positions, self.tokenTypes, self.width) = (positions, tokenTypes, width)
  }

  /// Types that tokens may have, where the model knows any.
  var types: Int { min(max(1, tokenTypes), Self.mostTypes) }

  /// The rows for tokens at those positions.
  /// - Throws: ``ApusError`` of kind `argument` for a type that has no rows.
  func rows(of positions: [Int32], types: [Int32]) throws(ApusError) -> [Int32] {
    // The model has no table of types, and takes no notice of them.
    guard tokenTypes > 0, let last = types.max(), let first = types.min() else {
      return positions
    }
    guard first >= 0, last < self.types else {
      throw ApusError(
        .argument, "a token of type \(first < 0 ? first : last)", expected: "0 ..< \(self.types)",
        at: "the types of tokens")
    }
    guard let stride = self.positions else { return types }
    guard last > 0 else { return positions }
    return zip(positions, types).map { Int32(clamping: Int($0) + Int($1) * stride) }
  }

  /// The table, float32 [types · positions, width]; of a model without positions, [types, width].
  /// - Parameter weights: those of the embeddings.
  func table(_ weights: WeightPath, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let table = try known.withLock { (known) throws(ApusError) in
      if known == nil {
        var apart = GraphBuilder()
        let sums = try sums(weights, in: &apart)
        known = apart[sums]
      }
      return known
    }
    // One that is too large to be kept is added up in each run.
    guard let table, let elements = table.constant else { return try sums(weights, in: &graph) }
    return graph.constant(table.name, elements, source: table.source)
  }

  private func sums(_ weights: WeightPath, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let positions = try self.positions.map { (rows) throws(ApusError) in
      try graph.float32(weights["position_embeddings"], "weight", [rows, width])
    }
    if let positions, tokenTypes == 0 { return positions }
    let table = try graph.float32(weights["token_type_embeddings"], "weight", [tokenTypes, width])
    func sum(_ type: Int, in graph: inout GraphBuilder) throws(ApusError) -> Value {
      let row = try graph.gather(
        table, graph.indices([type], at: "type \(type)"), at: weights.key("type \(type)"))
      guard let positions else { return row }
      return try graph.sum(positions, row, at: weights.key("positions of type \(type)"))
    }
    let first = try sum(0, in: &graph)
    guard types > 1 else { return first }
    return try graph.apply(
      Concatenation(axis: 0), [first, sum(1, in: &graph)], at: weights.key("both types"))
  }
}
