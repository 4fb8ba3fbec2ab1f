import Graph
import TensorCore

extension Graph {
  /// What probabilities a value holds: those that the graph shows by itself, and a hard sigmoid, whose numbers
  /// are limited to 0 and 1, also where a converter put its addition and its limits into a layer of weights.
  func shownProbabilities(in value: Value) -> ProbabilityKind? {
    probabilities(in: value) ?? (isHardSigmoid(value) ? .independent : nil)
  }

  private func isHardSigmoid(_ value: Value) -> Bool {
    var writers: [Value: Node] = [:]
    for node in nodes {
      for result in node.outputs { writers[result] = node }
    }
    var limits = Limits()
    var current = value
    while let node = writers[current], let operand = limits.take(node, in: self) { current = operand }
    return limits.areZeroAndOne
  }
}

/// Between which numbers a value lies, by the nodes that make it, of which the last is taken first.
private struct Limits {
  private var lower = -Float.infinity
  private var upper = Float.infinity
  /// What the results of the next node are multiplied by behind it.
  private var factor: Float = 1

  /// More elements are no factors or bounds of a few classes.
  private static let largestConstant = 1 << 16

  var areZeroAndOne: Bool { lower == 0 && abs(upper - 1) < 1e-3 }

  /// Takes in what a node says of its results.
  /// - Returns: the operand whose numbers they are, but for limits and a factor; nil where they are new ones.
  mutating func take(_ node: Node, in graph: Graph) -> Value? {
    let operands = node.inputs.compactMap(\.self)
    switch node.operation.resultMeaning {
    case .sameNumbers, .reorderedNumbers: return operands.first
    // Some of the numbers, or means of them, lie between the same limits.
    case .someNumbers(let index): return node.inputs.indices.contains(index) ? node.inputs[index] : nil
    case .clamped(let range):
      narrow(range.lowerBound, range.upperBound)
      return operands.first
    case .chosenNumbers: return bounded(node.operation as? Extremum, operands, graph)
    case .product(let activation): return scaled(activation, operands, graph) { $0 }
    case .quotient(let activation):
      // Of a constant divided by something nothing is known.
      let argument = scaled(activation, operands, graph) { 1 / $0 }
      return argument == operands.first ? argument : nil
    case .sum(let activation): narrow(activation)
    default:
      if let layer = node.operation as? FullyConnected { narrow(layer.activation) }
      if let layer = node.operation as? any ImageConvolution { narrow(layer.attributes.activation) }
    }
    return nil
  }

  private mutating func bounded(_ extremum: Extremum?, _ operands: [Value], _ graph: Graph) -> Value? {
    guard let extremum, let (argument, bound) = Self.pair(operands, graph) else { return nil }
    switch extremum.kind {
    case .maximum: narrow(bound, .infinity)
    case .minimum: narrow(-.infinity, bound)
    }
    return argument
  }

  /// - Parameter rate: what a constant operand makes of the other's numbers.
  private mutating func scaled(
    _ activation: FusedActivation, _ operands: [Value], _ graph: Graph, _ rate: (Float) -> Float
  ) -> Value? {
    narrow(activation)
    guard let (argument, number) = Self.pair(operands, graph), number > 0 else { return nil }
    factor *= rate(number)
    return argument
  }

  private mutating func narrow(_ activation: FusedActivation) {
    if activation.isClamp { narrow(activation.floatRange.lower, activation.floatRange.upper) }
  }

  private mutating func narrow(_ least: Float, _ greatest: Float) {
    lower = max(lower, least * factor)
    upper = min(upper, greatest * factor)
  }

  /// Of two operands the one that is computed, and the one number that the other has throughout.
  private static func pair(_ operands: [Value], _ graph: Graph) -> (argument: Value, number: Float)? {
    guard operands.count == 2 else { return nil }
    for (argument, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
      guard graph[argument].constant == nil, let constant = graph[other].constant,
        (1...largestConstant).contains(constant.shape.elementCount),
        let numbers = try? constant.realNumbers(), let number = numbers.first,
        numbers.allSatisfy({ $0 == number })
      else { continue }
      return (argument, number)
    }
    return nil
  }
}
