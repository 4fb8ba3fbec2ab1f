import Graph
import TensorCore

/// Texts as token ids, one after the other.
struct TextBatch {
  let ids: [Int32]
  /// The column of each token in its row, from 0.
  let positions: [Int32]
  /// Text b has the tokens `bounds[b]..<bounds[b + 1]`.
  let bounds: [Int32]

  /// - Throws: ``ApusError`` of kind `argument` when there is no text, one is empty, or one is over
  ///   `maximumTokens`.
  init(_ rows: [TokenRow], maximumTokens: Int) throws(ApusError) {
    guard !rows.isEmpty else { throw ApusError(.argument, "no text", expected: "at least one") }
    var bounds: [Int32] = [0]
    var count = 0
    for (index, row) in rows.enumerated() {
      guard row.extent >= 1, row.extent <= maximumTokens else {
        throw ApusError(
          .argument, "\(row.extent) tokens", expected: "1 to \(maximumTokens)", at: "text \(index)")
      }
      count += row.columns.count
      guard let bound = Int32(exactly: count) else {
        throw ApusError(.argument, "more than \(Int32.max) tokens in one batch", expected: "smaller batches")
      }
      bounds.append(bound)
    }
    ids = rows.flatMap(\.seen)
    positions = rows.flatMap { $0.columns.map { Int32($0) } }
    self.bounds = bounds
  }

  /// The first token of each text.
  var firstRows: [Int32] { Array(bounds.dropLast()) }
  /// The last token of each text.
  var lastRows: [Int32] { bounds.dropFirst().map { $0 - 1 } }

  /// Ids, positions and bounds as a graph's inputs, and the rows whose results are wanted.
  /// - Parameters:
  ///   - positions: of the model's own counting; nil for columns.
  ///   - pooled: nil for all rows.
  func tensors(positions: [Int32]? = nil, pooled: [Int32]? = nil) throws(ApusError) -> [Tensor] {
    try vectors([ids, positions ?? self.positions, bounds] + (pooled.map { [$0] } ?? []))
  }

  /// Ids, positions, the bounds of two segments for each text, the rows whose results are wanted, and the bounds of
  /// keys: of each text all rows attend the first `counts[b]`. See ``Segments``.
  func tensors(pooled: [Int32], attending counts: [Int]) throws(ApusError) -> [Tensor] {
    var (queries, keys): ([Int32], [Int32]) = ([0], [0])
    for (text, count) in counts.enumerated() {
      let end = bounds[text + 1]
      queries += [end, end]
      keys += [bounds[text] + Int32(clamping: count), end]
    }
    return try vectors([ids, positions, queries, pooled, keys])
  }

  private func vectors(_ vectors: [[Int32]]) throws(ApusError) -> [Tensor] {
    var tensors: [Tensor] = []
    for vector in vectors { tensors.append(try Tensor(vector, shape: .vector(vector.count))) }
    return tensors
  }
}

/// The inputs of a graph that takes a ``TextBatch``.
struct TextInputs {
  let ids: Value
  let positions: Value
  let segments: Segments
  /// int32 [sequences]: the token of each text whose result is wanted.
  let pooledRows: Value?

  /// - Parameters:
  ///   - pools: whether the model wants one token's result only.
  ///   - hasUnattendedTokens: whether texts have tokens that attend and are not attended.
  init(
    tokens: Int, sequences: Int, pools: Bool, hasUnattendedTokens: Bool = false,
    in graph: inout GraphBuilder
  ) throws(ApusError) {
    guard tokens > 0, sequences > 0, tokens < Int(Int32.max), sequences <= tokens else {
      throw ApusError(.argument, "\(sequences) texts of \(tokens) tokens", expected: "at least one of each")
    }
    let vector = { (count: Int) in TensorType(.int32, .vector(count)) }
    ids = graph.input("input_ids", vector(tokens))
    positions = graph.input("positions", vector(tokens))
    let bounds = vector((hasUnattendedTokens ? 2 : 1) * sequences + 1)
    let queries = graph.input("segments", bounds)
    pooledRows = pools ? graph.input("pooled_rows", vector(sequences)) : nil
    segments =
      hasUnattendedTokens
      ? Segments(count: sequences, bounds: queries, keys: graph.input("key_segments", bounds))
      : Segments(count: sequences, bounds: queries)
  }
}

extension GraphBuilder {
  /// The row of an embedding table for each token, [tokens, width].
  mutating func embedding(
    _ ids: Value, _ weights: WeightPath, _ name: String = "weight", rows: Int, width: Int
  ) throws(ApusError) -> Value {
    let table = constant(try weights.weight(name, [rows, width]))
    return try apply(EmbeddingRows(), [table, ids], at: weights.key(name))
  }
}
