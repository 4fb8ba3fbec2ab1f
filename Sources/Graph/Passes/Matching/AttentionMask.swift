import TensorCore

/// What becomes of a mask that was spelled out.
struct AttentionMask {
  /// Whether it hides from each query the keys after it, and nothing else.
  private(set) var isCausal = false
  private var source = SpelledScores.Mask.none
  /// [sequences or 1, heads or 1, queries or 1, keys]
  private var shape = Shape.scalar

  /// - Returns: nil where a mask has an axis that is neither that of the scores nor 1.
  init?(_ scores: SpelledScores, _ queries: HeadRows, _ matcher: GraphMatcher) {
    let value: Value
    switch scores.mask {
    case .none: return
    case .added(let mask): value = mask
    case .hidden(_, let condition): value = condition
    }
    guard let shape = Self.shape(matcher.shape(of: value), scores.shape, queries) else { return nil }
    if let isSeen = Self.seen(matcher, value) {
      if isSeen.allSatisfy({ $0 == true }) { return }
      let (rows, keys) = (shape[2], shape[3])
      let isCausal = isSeen.indices.allSatisfy { isSeen[$0] == ($0 % keys <= $0 / keys) }
      if isCausal, shape[0] * shape[1] == 1, rows == keys {
        self.isCausal = true
        return
      }
    }
    (source, self.shape) = (scores.mask, shape)
  }

  /// The operand of ``Attention``, if there is one.
  /// - Parameter result: the value that the attention will make.
  func operand(in patch: inout GraphPatch, for result: Value) throws(ApusError) -> Value? {
    switch source {
    case .none: return nil
    case .added(let mask): return try patch.reshaped(mask, shape)
    case .hidden(let number, let condition):
      if let known = patch.mask(number, unless: condition, shape, before: result) { return known }
      let operands = [
        try patch.reshaped(condition, shape), try patch.constant("seen", [Float(0)], []),
        try patch.constant("hidden", [number], []),
      ]
      return try patch.add(Select(broadcasts: true), operands)
    }
  }

  /// The shape of a mask with axes for sequences, heads, queries and keys.
  private static func shape(_ mask: Shape, _ scores: Shape, _ queries: HeadRows) -> Shape? {
    guard mask.rank <= scores.rank, mask.rank >= 2 else { return nil }
    let padded = [Int](repeating: 1, count: scores.rank - mask.rank) + mask.dimensions
    let positions = Array(padded.suffix(2))
    guard positions[1] == scores.dimensions.last, positions[0] == 1 || positions[0] == queries.length else {
      return nil
    }
    let outer = Array(padded.dropLast(2))
    if outer.allSatisfy({ $0 == 1 }) { return try? Shape([1, 1] + positions) }
    let extents = Array(scores.dimensions.dropLast(2))
    if extents == [queries.batch, queries.heads] { return try? Shape(outer + positions) }
    if extents == [queries.heads], queries.batch == 1 { return try? Shape([1] + outer + positions) }
    if extents == [queries.batch], queries.heads == 1 { return try? Shape(outer + [1] + positions) }
    return nil
  }

  /// For each element of a constant whether it leaves its key to be seen, or hides it; nil for one that does neither.
  private static func seen(_ matcher: GraphMatcher, _ mask: Value) -> [Bool?]? {
    guard let tensor = matcher.graph[mask].constant else { return nil }
    if tensor.dataType == .bool { return try? tensor.elements(of: Bool.self).map(Optional.some) }
    return matcher.constant(mask)?.map { $0 == 0 ? true : $0 <= SpelledScores.least ? false : nil }
  }
}

extension GraphPatch {
  /// The mask of that condition and number, if an attention before this one has made it.
  fileprivate func mask(
    _ number: Float, unless condition: Value, _ shape: Shape, before result: Value
  ) -> Value? {
    let matcher = GraphMatcher(graph)
    return graph.nodes.prefix(matcher.writerIndex(of: result) ?? 0).first { node in
      guard node.operation is Select, node.inputs.count == 3, let found = node.inputs[0],
        let seen = node.inputs[1],
        let hidden = node.inputs[2], let result = node.outputs.first
      else { return false }
      return (found == condition || matcher.unshaped(found) == condition) && matcher.scalar(seen) == 0
        && matcher.scalar(hidden) == number && matcher.shape(of: result) == shape
    }?.outputs.first
  }
}
