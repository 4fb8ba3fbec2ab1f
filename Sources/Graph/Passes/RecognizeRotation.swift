import TensorCore

extension GraphPasses {
  /// Finds heads that are turned by known angles, in float32:
  ///
  ///     x · cos + (−b, a) · sin,  x = (a, b) the halves of a head
  ///
  /// where heads were brought before rows: they are turned as columns of the rows, and brought there afterwards, so that
  /// ``recognizeAttention(_:_:)`` finds what is left of it.
  static func recognizeRotation(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Add }) { matcher, sum throws(ApusError) in
      try SpelledRotation(matcher, sum)?.replaced()
    }
  }
}

/// A rotation that is spelled out.
private struct SpelledRotation {
  private let matcher: GraphMatcher
  private let sum: Value
  private let rows: HeadRows
  /// Of each row of a sequence the cosines for half a head, then the sines.
  private let angles: [Float]

  init?(_ matcher: GraphMatcher, _ sum: Value) {
    guard let node = matcher.writer(of: sum), (node.operation as? Add)?.activation == FusedActivation.none,
      matcher.isVariable(sum), node.inputs.count == 2, case let first?? = node.inputs.first,
      case let second?? = node.inputs.last
    else { return nil }
    for (straight, crossed) in [(first, second), (second, first)] {
      guard let (x, cosines) = matcher.factors(straight), let (turned, sines) = matcher.factors(crossed),
        matcher.isQuarterTurn(turned, of: x), matcher.shape(of: x) == matcher.shape(of: sum),
        let rows = matcher.headRows(x, isTransposed: false).first(where: { $0.factor == 1 }),
        rows.width % 2 == 0, let angles = Self.angles(matcher, cosines, sines, rows)
      else { continue }
      (self.matcher, self.sum, self.rows, self.angles) = (matcher, sum, rows, angles)
      return
    }
    return nil
  }

  /// The angles of the rows of one sequence; nil where the halves of a head have different ones, or heads.
  private static func angles(
    _ matcher: GraphMatcher, _ cosines: Value, _ sines: Value, _ rows: HeadRows
  ) -> [Float]? {
    let (length, width) = (rows.length, rows.width)
    for value in [cosines, sines] {
      let extents = matcher.shape(of: value).dimensions
      guard extents.suffix(2) == [length, width], extents.dropLast(2).allSatisfy({ $0 == 1 }) else {
        return nil
      }
    }
    guard let cosines = matcher.constant(cosines), let sines = matcher.constant(sines) else { return nil }
    var angles: [Float] = []
    for start in stride(from: 0, to: length * width, by: width) {
      let halves = (start..<start + width / 2, start + width / 2..<start + width)
      guard cosines[halves.0] == cosines[halves.1], sines[halves.0] == sines[halves.1] else { return nil }
      angles += cosines[halves.0] + sines[halves.0]
    }
    return angles
  }

  func replaced() throws(ApusError) -> Graph {
    var patch = GraphPatch(matcher.graph, label: matcher.writer(of: sum)?.label ?? "rotation")
    let (batch, length, heads, width) = (rows.batch, rows.length, rows.heads, rows.width)
    let matrix = try patch.reshaped(rows.base, Shape([batch * length, rows.columns]))
    let all = Array(repeatElement(angles, count: batch).joined())
    let table = try patch.constant("angles", all, [batch * length, width])
    let turned = try patch.add(
      RotaryEmbedding(heads: heads, headWidth: width, offset: rows.offset), [matrix, table])
    let split = try patch.reshaped(turned, Shape([batch, length, heads, width]))
    let order = try patch.constant("order", [0, 2, 1, 3] as [Int32])
    let made = try patch.add(Transpose(), [split, order])
    return try patch.replacing(sum, by: made)
  }
}

extension GraphMatcher {
  /// The operands of a product of something that is computed and a constant.
  fileprivate func factors(_ product: Value) -> (computed: Value, constant: Value)? {
    guard let node = writer(of: product), (node.operation as? Multiply)?.activation == FusedActivation.none,
      isVariable(product), node.inputs.count == 2, case let first?? = node.inputs.first,
      case let second?? = node.inputs.last
    else { return nil }
    let (computed, fixed) = graph[first].constant == nil ? (first, second) : (second, first)
    guard graph[fixed].constant != nil, isVariable(computed) else { return nil }
    return (computed, fixed)
  }

  /// Whether a value is minus the second half of the last axis of `x`, then the first.
  fileprivate func isQuarterTurn(_ value: Value, of x: Value) -> Bool {
    guard let join = writer(of: value), join.operation is Concatenation, join.inputs.count == 2,
      shape(of: value) == shape(of: x), let half = shape(of: x).dimensions.last.map({ $0 / 2 }), half > 0,
      case let minus?? = join.inputs.first, case let first?? = join.inputs.last,
      let negation = writer(of: minus), (negation.operation as? UnaryMath)?.function == .negate,
      case let second?? = negation.inputs.first
    else { return false }
    return isPart(second, of: x, from: half, count: half) && isPart(first, of: x, from: 0, count: half)
  }

  /// Whether a value is so many columns of `x`.
  private func isPart(_ value: Value, of x: Value, from start: Int, count: Int) -> Bool {
    guard let node = writer(of: value), node.operation is Slice, node.inputs.first == x,
      node.inputs.count == 3,
      shape(of: value).dimensions == Array(shape(of: x).dimensions.dropLast()) + [count],
      let begin = node.inputs[1].flatMap({ try? graph[$0].constant?.integers() })
    else { return false }
    return begin == [Int](repeating: 0, count: begin.count - 1) + [start]
  }
}
