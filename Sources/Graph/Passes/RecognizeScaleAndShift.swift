import TensorCore

extension GraphPasses {
  /// Finds x · scale + offset in float32 or quantized bytes, of which both are constants of the last axis, wherever the
  /// operands stand: batch normalization in front of what it could not be folded into.
  static func recognizeScaleAndShift(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Add }) { matcher, sum throws(ApusError) in
      guard let addition = matcher.writer(of: sum), let activation = (addition.operation as? Add)?.activation,
        let (product, offset) = matcher.factors(addition, of: sum),
        let multiplication = matcher.writer(of: product),
        (multiplication.operation as? Multiply)?.activation == Activation.none,
        matcher.readers(of: product).count == 1, !matcher.isOutput(product),
        let (x, scale) = matcher.factors(multiplication, of: sum)
      else { return nil }
      var patch = GraphPatch(matcher.graph, label: "\(multiplication.label) + \(addition.label)")
      let made: Value
      if let scale = matcher.constant(scale), let offset = matcher.constant(offset) {
        made = try patch.add(
          ScaleAndShift(activation: activation),
          [x, patch.constant("scale", scale), patch.constant("offset", offset)])
      } else if let between = matcher.byteQuantization(of: product),
        let result = matcher.byteQuantization(of: sum)
      {
        made = try patch.add(
          QuantizedScaleAndShift(product: between, result: result, activation: activation),
          [x, scale, offset])
      } else {
        return nil
      }
      return try patch.replacing(sum, by: made)
    }
  }
}

extension GraphMatcher {
  /// The operands of a node of which one is computed, of the result's shape, and one is constant along the last axis.
  fileprivate func factors(_ node: Node, of result: Value) -> (computed: Value, constant: Value)? {
    guard node.inputs.count == 2, case let first?? = node.inputs.first, case let second?? = node.inputs.last
    else { return nil }
    let (computed, fixed) = graph[first].constant == nil ? (first, second) : (second, first)
    guard graph[computed].constant == nil, graph[fixed].constant != nil,
      shape(of: computed) == shape(of: result),
      let channels = shape(of: result).dimensions.last, shape(of: fixed).dimensions.last == channels,
      shape(of: fixed).elementCount == channels, shape(of: fixed).rank <= shape(of: result).rank
    else { return nil }
    return (computed, fixed)
  }

  /// What the numbers of a value of int8 or uint8 stand for.
  fileprivate func byteQuantization(of value: Value) -> Quantization? {
    let type = graph[value].type
    return type.dataType == .int8 || type.dataType == .uint8 ? type.quantization : nil
  }
}
