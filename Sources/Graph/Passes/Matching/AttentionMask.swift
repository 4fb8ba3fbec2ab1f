import TensorCore

/// What becomes of a mask that was spelled out.
struct AttentionMask {
  /// Whether it hides from each query the keys after it, and nothing else.
  private(set) var isCausal = false
  private var source = SpelledScores.Mask.none
  /// [sequences or 1, heads or 1, queries or 1, keys]
  private var shape = Shape.scalar
  /// The sum of several constants, in that shape, in their place.
  private var total: [Float]?
  /// Which of the masks each sequence has, over and over; empty where all have one, or each its own.
  private(set) var order: [Int] = []

  /// - Returns: nil where a mask has an axis that is neither that of the scores nor 1.
  init?(_ scores: SpelledScores, _ queries: HeadRows, _ matcher: GraphMatcher) {
    let value: Value
    switch scores.mask {
    case .none: return
    case .added(let mask): value = mask
    case .hidden(_, let condition): value = condition
    }
    if !scores.further.isEmpty {
      guard let sum = Self.sum([(value, scores.shape)] + scores.further, queries, matcher) else { return nil }
      (source, shape, total, order) = (scores.mask, sum.shape, sum.elements, sum.order)
      return
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
    case .added(let mask):
      if let total { return try patch.constant("mask", total, shape.dimensions) }
      return try patch.reshaped(mask, shape)
    case .hidden(let number, let condition):
      if let known = patch.mask(number, unless: condition, shape, before: result) { return known }
      let operands = [
        try patch.reshaped(condition, shape), try patch.constant("seen", [Float(0)], []),
        try patch.constant("hidden", [number], []),
      ]
      return try patch.add(Select(broadcasts: true), operands)
    }
  }

  /// Masks are added up to so many numbers.
  private static let sumLimit = 1 << 24

  /// Constants that are added one after the other, as one: Swin's windows have a mask of their heads, and one of their place.
  private static func sum(
    _ terms: [(mask: Value, shape: Shape)], _ queries: HeadRows, _ matcher: GraphMatcher
  ) -> (elements: [Float], shape: Shape, order: [Int])? {
    var parts: [(elements: [Float], shape: Shape)] = []
    var extents = [1, 1, 1, 1]
    for (mask, scores) in terms {
      guard let elements = matcher.constant(mask),
        let shape = windowed(matcher.shape(of: mask), scores, queries)
      else { return nil }
      parts.append((elements, shape))
      for axis in 0..<4 where shape[axis] != 1 {
        guard extents[axis] == 1 || extents[axis] == shape[axis] else { return nil }
        extents[axis] = shape[axis]
      }
    }
    guard extents.saturatingProduct <= sumLimit, queries.batch % extents[0] == 0,
      let shape = try? Shape(extents)
    else { return nil }
    var total = [Float](repeating: 0, count: shape.elementCount)
    for part in parts {
      let strides = (0..<4).map { part.shape[$0] == 1 ? 0 : part.shape.strides[$0] }
      var index = 0
      for a in 0..<extents[0] {
        for b in 0..<extents[1] {
          for c in 0..<extents[2] {
            let start = a * strides[0] + b * strides[1] + c * strides[2]
            for d in 0..<extents[3] {
              total[index] += part.elements[start + d * strides[3]]
              index += 1
            }
          }
        }
      }
    }
    let isShared = extents[0] > 1 && extents[0] < queries.batch
    return (total, shape, isShared ? Array(0..<extents[0]) : [])
  }

  /// The same shape, also of a mask for each of the windows that each picture has.
  private static func windowed(_ mask: Shape, _ scores: Shape, _ queries: HeadRows) -> Shape? {
    if let shape = shape(mask, scores, queries) { return shape }
    let extents = Array(scores.dimensions.dropLast(2))
    guard extents.count == 3, extents[0] * extents[1] == queries.batch, extents[2] == queries.heads,
      mask.rank <= 5, mask.rank >= 2
    else { return nil }
    let padded = [Int](repeating: 1, count: 5 - mask.rank) + mask.dimensions
    guard padded[0] == 1, [1, extents[1]].contains(padded[1]), [1, extents[2]].contains(padded[2]),
      [1, queries.length].contains(padded[3]), padded[4] == scores.dimensions.last
    else { return nil }
    return try? Shape(Array(padded[1...]))
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
