import TensorCore

extension GraphPasses {
  /// Finds x · clamp(x + 3, 0, 6) / 6 in float32, or x · clamp(x / 6 + 1 / 2, 0, 1), wherever the factors stand.
  ///
  /// Source: Howard et al. 2019, "Searching for MobileNetV3".
  static func recognizeHardSwish(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: isClamp) { matcher, gate throws(ApusError) in
      guard let clamp = matcher.clampFromZero(gate),
        let found = matcher.find(.hardSwish(clamp.upper), gate: gate, argument: clamp.argument)
      else { return nil }
      return try matcher.replacing(found.result, by: HardSwish(), of: found.x)
    }
  }

  private static func isClamp(_ operation: any Operation) -> Bool {
    operation is Relu || operation is Extremum || (operation as? Add)?.activation == .relu6
  }
}

extension Gate {
  /// The gate is clamp(upper · (x + 3) / 6, 0, upper).
  fileprivate static func hardSwish(_ upper: Float) -> Gate {
    Gate(
      argument: { Polynomial([[$0: 1]: [upper / 6], [:]: [upper / 2]]) },
      product: { Polynomial([[$0: 1, $1: 1]: [1 / upper]]) })
  }
}

extension GraphMatcher {
  /// What `value` is when something is limited to 0 … `upper`: by one node, or by two in either order.
  fileprivate func clampFromZero(_ value: Value) -> (argument: Value, upper: Float)? {
    guard let outer = limit(value) else { return nil }
    if outer.range.lower == 0, outer.range.upper.isFinite { return (outer.argument, outer.range.upper) }
    guard let inner = limit(outer.argument), inner.argument != outer.argument else { return nil }
    let lower = max(outer.range.lower, inner.range.lower)
    let upper = min(outer.range.upper, inner.range.upper)
    guard lower == 0, upper.isFinite, upper > 0 else { return nil }
    return (inner.argument, upper)
  }

  /// What one node limits, and to which range. An addition limits its own sum.
  private func limit(_ value: Value) -> (argument: Value, range: (lower: Float, upper: Float))? {
    guard isVariable(value), let node = writer(of: value), case let first?? = node.inputs.first else {
      return nil
    }
    switch node.operation {
    case let relu as Relu: return (first, relu.interval.bounds)
    case let sum as Add where sum.activation == .relu6: return (value, sum.activation.floatRange)
    case let extremum as Extremum:
      guard node.inputs.count == 2, let second = node.inputs[1] else { return nil }
      let (argument, bound) = scalar(first) == nil ? (first, second) : (second, first)
      guard let bound = scalar(bound) else { return nil }
      let isLower = extremum.kind == .maximum
      return (argument, isLower ? (bound, .infinity) : (-.infinity, bound))
    default: return nil
    }
  }
}
