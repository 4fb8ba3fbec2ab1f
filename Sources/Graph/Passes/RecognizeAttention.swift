import TensorCore

extension GraphPasses {
  /// Finds scaled dot-product attention of many heads in float32:
  ///
  ///     softmax(q·kᵀ · scale + mask) · v
  ///
  /// where heads are brought before rows and back by reshapes, transpositions and slices, the scale stands before or
  /// after the product or is split between q and k, and the mask is added, or chosen by a condition, or absent. A
  /// constant mask that hides nothing is dropped, and one that hides what comes later makes the attention causal. Weights
  /// that are no number may be zero instead: those of a query all of whose keys are hidden.
  static func recognizeAttention(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Softmax }) { matcher, weights throws(ApusError) in
      try SpelledAttention(matcher, weights)?.replaced()
    }
  }
}

/// An attention that is spelled out.
private struct SpelledAttention {
  private let matcher: GraphMatcher
  private let scores: SpelledScores
  private let queries: HeadRows
  private let keys: HeadRows
  private let values: HeadRows
  /// Whether weights that are NaN become zero.
  private let zeroesHidden: Bool
  /// The value that holds the result as ``Attention`` would give it.
  private let result: Value

  /// - Parameter weights: the result of a softmax.
  init?(_ matcher: GraphMatcher, _ weights: Value) {
    guard let node = matcher.writer(of: weights), let softmax = node.operation as? Softmax,
      case let logits?? = node.inputs.first, matcher.isVariable(weights),
      let scores = SpelledScores(matcher, softmax: softmax, of: logits)
    else { return nil }
    let safe = matcher.zeroedNaN(weights)
    guard let product = Self.product(matcher, of: safe ?? weights) else { return nil }
    let keys = matcher.headRows(scores.keys, isTransposed: scores.keysAreTransposed)
    let values = matcher.headRows(product.values, isTransposed: product.isTransposed).filter {
      $0.factor == 1
    }
    let found = matcher.headRows(scores.queries, isTransposed: false).lazy.compactMap { queries in
      if let keys = keys.first(where: queries.isLike),
        let values = values.first(where: { queries.isLike($0) && $0.length == keys.length }),
        let result = Self.result(matcher, product.result, queries)
      {
        (queries, keys, values, result)
      } else {
        nil
      }
    }.first
    guard let found else { return nil }
    (self.queries, self.keys, self.values, result) = found
    (self.matcher, self.scores, zeroesHidden) = (matcher, scores, safe != nil)
    guard matcher.isPrivate(from: leaves, to: [result]) else { return nil }
  }

  /// The graph with the attention in one node; nil where its mask is of another form.
  func replaced() throws(ApusError) -> Graph? {
    guard let mask = AttentionMask(scores, queries, matcher) else { return nil }
    var patch = GraphPatch(matcher.graph, label: matcher.writer(of: result)?.label ?? "attention")
    var operands: [Value?] = []
    for rows in [queries, keys, values] {
      let shape = try Shape([rows.batch * rows.length, rows.columns])
      operands.append(try patch.reshaped(rows.base, shape))
    }
    for rows in [queries, keys] {
      let bounds = (0...rows.batch).map { Int32(clamping: $0 * rows.length) }
      operands.append(try patch.constant("segments of \(rows.length)", bounds))
    }
    if let mask = try mask.operand(in: &patch, for: result) { operands.append(mask) }
    let attention = Attention(
      heads: queries.heads, headWidth: queries.width, scale: scores.scale * queries.factor * keys.factor,
      isCausal: mask.isCausal, queryOffset: queries.offset, keyOffset: keys.offset,
      valueOffset: values.offset,
      maskOrder: mask.order, zeroesHidden: zeroesHidden)
    let made = try patch.add(attention, operands)
    return try patch.replacing(result, by: made)
  }

  private var leaves: Set<Value> {
    switch scores.mask {
    case .none: [queries.base, keys.base, values.base]
    case .added(let mask): [queries.base, keys.base, values.base, mask]
    case .hidden(_, let condition): [queries.base, keys.base, values.base, condition]
    }
  }

  /// The product of the weights and the values.
  private static func product(
    _ matcher: GraphMatcher, of weights: Value
  ) -> (values: Value, isTransposed: Bool, result: Value)? {
    var weights = weights
    let square = matcher.shape(of: weights).dimensions.suffix(2)
    for _ in 0..<GraphMatcher.depth {
      guard let node = matcher.readers(of: weights).first, let result = node.outputs.first else { return nil }
      if let product = node.operation as? BatchMatMul {
        guard !product.transposeA, node.inputs.count == 2, node.inputs[0] == weights,
          let values = node.inputs[1],
          values != weights, matcher.isVariable(values)
        else { return nil }
        return (values, product.transposeB, result)
      }
      guard matcher.unshaped(result) == weights, matcher.shape(of: result).dimensions.suffix(2) == square
      else {
        return nil
      }
      weights = result
    }
    return nil
  }

  /// The value in which each row has the columns of all its heads, side by side.
  private static func result(_ matcher: GraphMatcher, _ product: Value, _ queries: HeadRows) -> Value? {
    let (row, sequence) = (queries.heads * queries.width, queries.heads * queries.width * queries.length)
    let axes = [
      (queries.batch, sequence), (queries.heads, queries.width), (queries.length, row), (queries.width, 1),
    ].map(TensorView.Axis.init)
    let whole = TensorView(product, axes: axes)
    var value = product
    var view = whole.reshaped(matcher.shape(of: product))
    for _ in 0..<GraphMatcher.depth where view?.isDense != true {
      guard let next = matcher.readers(of: value).first?.outputs.first else { return nil }
      if let current = view {
        view = matcher.viewed(current, of: value, as: next)
        if view == nil { return nil }
      } else {
        guard matcher.unmerged(next) == value else { return nil }
        view = whole.reshaped(matcher.shape(of: next))
      }
      value = next
    }
    return view?.isDense == true ? value : nil
  }
}

extension GraphMatcher {
  /// The value in which numbers of `value` that are NaN are zero, if nothing else reads these.
  fileprivate func zeroedNaN(_ value: Value) -> Value? {
    let readers = readers(of: value)
    guard let choice = readers.first(where: { $0.operation is Select }), choice.inputs.count == 3,
      let condition = choice.inputs[0], let zero = choice.inputs[1], choice.inputs[2] == value,
      scalar(zero) == 0,
      let comparison = writer(of: condition), (comparison.operation as? Compare)?.relation == .notEqual,
      comparison.inputs == [value, value], self.readers(of: condition).count == 1
    else { return nil }
    return choice.outputs.first
  }
}
