import TensorCore

/// What the numbers of an operation's results are.
package enum ResultMeaning: Sendable {
  /// New numbers.
  case computed
  /// Probabilities: from 0 to 1, of one class each.
  case probabilities
  /// Those of operand 0 in their order, under another shape or stored as another type.
  case sameNumbers
  /// Those of operand 0 in another order.
  case reorderedNumbers
}

extension Graph {
  /// Whether a value holds probabilities: an operation made them, or its integers stand for steps of 1/256 (or
  /// 1/32768) from 0, the scale of such an operation's results. False where the graph does not tell.
  package func holdsProbabilities(_ value: Value) -> Bool {
    if self[value].type.isProbabilityScaled { return true }
    var writers: [Value: Node] = [:]
    for node in nodes {
      for result in node.outputs { writers[result] = node }
    }
    var current = value
    while let node = writers[current] {
      switch node.operation.resultMeaning {
      case .probabilities: return true
      case .computed: return false
      case .sameNumbers, .reorderedNumbers:
        guard case let operand?? = node.inputs.first else { return false }
        current = operand
      }
    }
    return false
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
