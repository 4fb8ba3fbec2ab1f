import TensorCore

extension Graph {
  /// What probabilities a value holds: an operation made them, or limited numbers to 0 and 1, and others moved, chose,
  /// limited or averaged them; or its integers stand for steps of 1/256 (or 1/32768) from 0, the scale of such an operation's results. Nil where the
  /// graph shows none.
  package func probabilities(in value: Value) -> ProbabilityKind? {
    var search = ProbabilitySearch(self)
    for node in nodes { search.visit(node) }
    if let found = search.known[value], found.isShare, abs(found.greatest - 1) < 1e-3 { return found.kind }
    return self[value].type.isProbabilityScaled ? .exclusive : nil
  }
}

/// Walks through a graph from its inputs and keeps what is known of numbers that are probabilities or weighted sums of
/// them, or that are limited.
private struct ProbabilitySearch {
  struct Known {
    /// What none is below.
    var least: Float = 0
    /// What none is above: the sum of the weights of probabilities.
    var greatest: Float
    var kind: ProbabilityKind

    /// Whether they may be a share of something: from 0 to an end.
    var isShare: Bool { least == 0 && greatest.isFinite }

    func times(_ factor: Float) -> Known {
      Known(least: least * factor, greatest: greatest * factor, kind: kind)
    }
  }

  private let graph: Graph
  private(set) var known: [Value: Known] = [:]
  /// What sums were taken of, by the sums.
  private var summed: [Value: Value] = [:]

  /// More elements are no factors or bounds of a few classes.
  private static let largestConstant = 1 << 16

  init(_ graph: Graph) { self.graph = graph }

  mutating func visit(_ node: Node) {
    if case .total = node.operation.resultMeaning, let result = node.outputs.first {
      summed[result] = operand(0, node)
    } else if case .sameNumbers = node.operation.resultMeaning, let result = node.outputs.first {
      summed[result] = operand(0, node).flatMap { summed[$0] }
    }
    guard let found = result(of: node) else { return }
    for result in node.outputs { known[result] = found }
  }

  private func operand(_ index: Int, _ node: Node) -> Value? {
    node.inputs.indices.contains(index) ? node.inputs[index] : nil
  }

  private func known(_ index: Int, _ node: Node) -> Known? { operand(index, node).flatMap { known[$0] } }

  private func share(_ index: Int, _ node: Node) -> Known? {
    known(index, node).flatMap { $0.isShare ? $0 : nil }
  }

  private func result(of node: Node) -> Known? {
    switch node.operation.resultMeaning {
    case .computed, .total: nil
    case .activated(let activation): clamped(nil, activation)
    case .probabilities(let kind): Known(greatest: 1, kind: kind)
    case .sameNumbers, .reorderedNumbers: known(0, node)
    case .someNumbers(let index): known(index, node)
    case .chosenNumbers: chosen(node)
    case .clamped(let range): clamped(known(0, node), range)
    case .stretchedNumbers:
      share(0, node).flatMap { $0.greatest == 1 ? Known(greatest: 1, kind: .independent) : nil }
    case .sum(let activation): clamped(sum(node), activation)
    case .product(let activation): clamped(product(node), activation)
    case .quotient(let activation): clamped(quotient(node), activation)
    }
  }

  /// One operand within constant bounds, or numbers of several that reach equally far; else a bound.
  private func chosen(_ node: Node) -> Known? {
    chosenShare(node) ?? (node.operation as? Extremum).flatMap { bounded($0.kind, node) }
  }

  private func chosenShare(_ node: Node) -> Known? {
    let values = node.inputs.compactMap(\.self)
    let found = values.compactMap { known[$0] }.filter(\.isShare)
    guard let first = found.first, found.allSatisfy({ $0.greatest == first.greatest }) else { return nil }
    for value in values where known[value]?.isShare != true {
      guard let range = constant(value), range.lowerBound >= 0, range.upperBound <= first.greatest else {
        return nil
      }
    }
    return found.count == 1 ? first : Known(greatest: first.greatest, kind: .independent)
  }

  /// Numbers of which none is below, or above, the one of a constant.
  private func bounded(_ kind: Extremum.Kind, _ node: Node) -> Known? {
    guard node.inputs.count == 2 else { return nil }
    for (index, other) in [(0, 1), (1, 0)] {
      guard let bound = number(operand(other, node)) else { continue }
      return switch kind {
      case .maximum: clamped(known(index, node), bound...Float.infinity)
      case .minimum: clamped(known(index, node), -Float.infinity...bound)
      }
    }
    return nil
  }

  private func sum(_ node: Node) -> Known? {
    let found = node.inputs.indices.compactMap { share($0, node) }
    guard !found.isEmpty, found.count == node.inputs.count else { return nil }
    return Known(
      greatest: found.reduce(0) { $0 + $1.greatest },
      kind: found.allSatisfy { $0.kind == .exclusive } ? .exclusive : .independent)
  }

  private func product(_ node: Node) -> Known? {
    switch (known(0, node), known(1, node)) {
    case (let first?, let second?):
      first.isShare && second.isShare
        ? Known(greatest: first.greatest * second.greatest, kind: .independent) : nil
    case (let found?, nil): factor(operand(1, node)).map { found.times($0) }
    case (nil, let found?): factor(operand(0, node)).map { found.times($0) }
    case (nil, nil): nil
    }
  }

  private func quotient(_ node: Node) -> Known? {
    guard let divisor = operand(1, node) else { return nil }
    if let whole = summed[divisor], whole == operand(0, node) { return Known(greatest: 1, kind: .exclusive) }
    return known(0, node).flatMap { found in factor(divisor).map { found.times(1 / $0) } }
  }

  private func clamped(_ found: Known?, _ activation: Activation) -> Known? {
    guard activation.isClamp else { return nil }
    return clamped(found, activation.floatRange.lower...activation.floatRange.upper)
  }

  /// Numbers that are limited to 0 and a greatest one are as good as known.
  private func clamped(_ found: Known?, _ range: ClosedRange<Float>) -> Known? {
    if let found, range.lowerBound <= found.least, range.upperBound >= found.greatest { return found }
    func limited(_ number: Float) -> Float { min(max(number, range.lowerBound), range.upperBound) }
    return Known(
      least: limited(found?.least ?? -.infinity), greatest: limited(found?.greatest ?? .infinity),
      kind: .independent)
  }

  /// The one positive number that a constant has throughout.
  private func factor(_ value: Value?) -> Float? { number(value).flatMap { $0 > 0 ? $0 : nil } }

  /// The one number that a constant has throughout.
  private func number(_ value: Value?) -> Float? {
    guard let range = value.flatMap(constant), range.lowerBound == range.upperBound else { return nil }
    return range.lowerBound
  }

  /// The least and the greatest element of a constant, integers as the real numbers that they stand for.
  private func constant(_ value: Value) -> ClosedRange<Float>? {
    guard let tensor = graph[value].constant, (1...Self.largestConstant).contains(tensor.shape.elementCount)
    else { return nil }
    switch tensor.dataType {
    case .float32: return range(try? tensor.elements(of: Float.self))
    case .int8: return real(try? tensor.elements(of: Int8.self).map(Float.init), tensor.type)
    case .uint8: return real(try? tensor.elements(of: UInt8.self).map(Float.init), tensor.type)
    case .int16: return real(try? tensor.elements(of: Int16.self).map(Float.init), tensor.type)
    default: return nil
    }
  }

  private func real(_ stored: [Float]?, _ type: TensorType) -> ClosedRange<Float>? {
    guard let quantization = type.quantization, !quantization.isPerChannel else { return nil }
    return range(stored?.map { ($0 - Float(quantization.zeroPoint)) * quantization.scale })
  }

  private func range(_ elements: [Float]?) -> ClosedRange<Float>? {
    guard let elements, elements.allSatisfy(\.isFinite), let least = elements.min(),
      let greatest = elements.max()
    else { return nil }
    return least...greatest
  }
}

extension TensorType {
  fileprivate var isProbabilityScaled: Bool {
    guard let quantization, !quantization.isPerChannel else { return false }
    switch dataType {
    case .uint8: return quantization.scale == 1 / 256 && quantization.zeroPoint == 0
    case .int8: return quantization.scale == 1 / 256 && quantization.zeroPoint == -128
    case .int16: return quantization.scale == 1 / 32768 && quantization.zeroPoint == 0
    default: return false
    }
  }
}
