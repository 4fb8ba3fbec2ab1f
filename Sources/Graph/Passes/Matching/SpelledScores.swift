import TensorCore

/// The scores that a softmax makes weights of: products of queries and keys, times a number, plus a mask.
struct SpelledScores {
  /// Something that is added to the scores, or put in their place where a condition does not hold.
  enum Mask {
    case none
    case added(Value)
    /// Where the condition, of a shape that broadcasts to the scores', is false, the scores are this number.
    case hidden(by: Float, unless: Value)
  }

  let queries: Value
  let keys: Value
  let keysAreTransposed: Bool
  let scale: Float
  let mask: Mask
  /// The shape of what the mask is added to, [sequences and heads…, queries, keys].
  let shape: Shape
  /// Further constants that are added, where the mask is one too, and the shapes of what each is added to.
  private(set) var further: [(mask: Value, shape: Shape)] = []

  /// Scores less than this weigh nothing beside any other, whatever is added to them.
  static let least: Float = -1e30

  init?(_ matcher: GraphMatcher, softmax: Softmax, of value: Value) {
    let positions = matcher.shape(of: value).dimensions.suffix(2)
    var shape = matcher.shape(of: value)
    var scale = softmax.beta
    var mask = Mask.none
    var further: [(mask: Value, shape: Shape)] = []
    var value = value
    for _ in 0..<GraphMatcher.depth {
      guard let node = matcher.writer(of: value), matcher.isVariable(value),
        matcher.shape(of: value).dimensions.suffix(2) == positions
      else { return nil }
      if let product = node.operation as? BatchMatMul, !product.transposeA, node.inputs.count == 2,
        let queries = node.inputs[0], let keys = node.inputs[1], matcher.isVariable(queries),
        matcher.isVariable(keys)
      {
        (self.queries, self.keys, keysAreTransposed) = (queries, keys, !product.transposeB)
        (self.scale, self.mask, self.shape, self.further) = (scale, mask, shape, further)
        return
      }
      if let operand = matcher.unshaped(value) {
        value = operand
      } else if let (operand, factor) = matcher.scaled(value) {
        scale *= factor
        value = operand
      } else if case .none = mask, scale == 1, let (operand, found) = Self.masked(matcher, node) {
        (mask, shape) = (found, matcher.shape(of: value))
        value = operand
      } else if case .added(let first) = mask, scale == 1, matcher.constant(first) != nil,
        let (operand, found) = Self.masked(matcher, node), case .added(let other) = found,
        matcher.constant(other) != nil
      {
        further.append((other, matcher.shape(of: value)))
        value = operand
      } else {
        return nil
      }
    }
    return nil
  }

  /// What a node adds a mask to, and the mask.
  private static func masked(_ matcher: GraphMatcher, _ node: Node) -> (scores: Value, mask: Mask)? {
    let inputs = node.inputs.compactMap(\.self)
    if let sum = node.operation as? Add, sum.activation == .none, inputs.count == 2 {
      let leads = inputs.map { matcher.leadsToProduct($0) }
      guard leads[0] != leads[1] else { return nil }
      return leads[0] ? (inputs[0], .added(inputs[1])) : (inputs[1], .added(inputs[0]))
    }
    if let choice = node.operation as? Select, inputs.count == 3, let number = matcher.scalar(inputs[2]),
      number <= least, choice.broadcasts || matcher.shape(of: inputs[0]) == matcher.shape(of: inputs[1])
    {
      return (inputs[1], .hidden(by: number, unless: inputs[0]))
    }
    return nil
  }
}

extension GraphMatcher {
  /// What a node multiplies by one number, and the number.
  fileprivate func scaled(_ value: Value) -> (operand: Value, factor: Float)? {
    guard let node = writer(of: value), node.inputs.count == 2, let first = node.inputs[0],
      let second = node.inputs[1]
    else { return nil }
    switch node.operation {
    case let product as Multiply where product.activation == .none:
      if let factor = scalar(second) { return (first, factor) }
      return scalar(first).map { (second, $0) }
    case let quotient as Divide where quotient.activation == .none:
      return scalar(second).flatMap { $0 == 0 ? nil : (first, 1 / $0) }
    default: return nil
    }
  }

  /// What a node adds a constant to.
  private func shifted(_ value: Value) -> Value? {
    guard let node = writer(of: value), (node.operation as? Add)?.activation == FusedActivation.none,
      node.inputs.count == 2, let first = node.inputs[0], let second = node.inputs[1]
    else { return nil }
    if graph[second].constant != nil { return first }
    return graph[first].constant != nil ? second : nil
  }

  /// Whether a value is a product of two matrices that the run computes, scaled, reshaped, with constants added.
  fileprivate func leadsToProduct(_ value: Value) -> Bool {
    var value = value
    for _ in 0..<Self.depth {
      guard let operand = unshaped(value) ?? scaled(value)?.operand ?? shifted(value) else { break }
      value = operand
    }
    guard let node = writer(of: value), node.operation is BatchMatMul else { return false }
    return node.inputs.allSatisfy { $0.map(isVariable) == true }
  }
}
