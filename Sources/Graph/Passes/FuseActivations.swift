import TensorCore

extension GraphPasses {
  /// A function of what a float linear layer or convolution gives, which nothing else reads, is done by the layer as it
  /// stores.
  static func fuseActivations(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { LinearActivation($0) != nil }) { matcher, result throws(ApusError) in
      guard let node = matcher.writer(of: result), let activation = LinearActivation(node.operation),
        case let sums?? = node.inputs.first, let layer = matcher.writer(of: sums), matcher.isVariable(result),
        matcher.isPrivate(from: Set(layer.inputs.compactMap(\.self)), to: [result]),
        let fused = layerWithFunction(layer, activation, matcher.graph)
      else { return nil }
      var patch = GraphPatch(matcher.graph, label: "\(layer.label) + \(node.label)")
      let made = try patch.add(fused.operation, fused.inputs)
      return try patch.replacing(result, by: made)
    }
  }

  /// The layer that a node is, with the function, and its operands.
  private static func layerWithFunction(
    _ layer: Node, _ activation: LinearActivation, _ graph: Graph
  ) -> (operation: any Operation, inputs: [Value?])? {
    if let convolution = layer.operation as? Convolution2D {
      return convolution.applying(activation, graph.operands(of: layer)).map { ($0, layer.inputs) }
    }
    if let convolution = layer.operation as? DepthwiseConvolution2D {
      return convolution.applying(activation, graph.operands(of: layer)).map { ($0, layer.inputs) }
    }
    if let bytes = layer.operation as? ByteLinear {
      guard bytes.activation == .none, !bytes.addsResidual else { return nil }
      return (bytes.applying(activation), layer.inputs)
    }
    guard let linear = linear(layer, graph), linear.activation == .none, !linear.addsResidual else {
      return nil
    }
    let inputs = layer.inputs + Array(repeating: nil, count: linear.residualIndex - layer.inputs.count)
    return (linear.applying(activation), inputs)
  }

  /// The linear layer that a node is.
  static func linear(_ node: Node, _ graph: Graph) -> Linear? {
    (node.operation as? Linear) ?? (node.operation as? FullyConnected)?.linear(graph.operands(of: node))
  }
}

extension LinearActivation {
  /// The function that an operation is, if linear layers have it.
  fileprivate init?(_ operation: any Operation) {
    switch operation {
    case let gelu as Gelu: self = .gelu(gelu.form)
    case is Tanh: self = .tanh
    case is Swish: self = .swish
    case is HardSwish: self = .hardSwish
    default: return nil
    }
  }
}
