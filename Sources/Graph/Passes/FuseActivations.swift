import TensorCore

extension GraphPasses {
  /// A GELU or hyperbolic tangent of what a float linear layer gives, which nothing else reads, is done by the layer as
  /// it stores.
  static func fuseActivations(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { LinearActivation($0) != nil }) { matcher, result throws(ApusError) in
      guard let node = matcher.writer(of: result), let activation = LinearActivation(node.operation),
        case let sums?? = node.inputs.first, let layer = matcher.writer(of: sums), matcher.isVariable(result),
        matcher.isPrivate(from: Set(layer.inputs.compactMap(\.self)), to: [result]),
        let linear = linear(layer, matcher.graph), linear.activation == .none, !linear.addsResidual
      else { return nil }
      var patch = GraphPatch(matcher.graph, label: "\(layer.label) + \(node.label)")
      let inputs = layer.inputs + Array(repeating: nil, count: linear.residualIndex - layer.inputs.count)
      let fused = Linear(parts: linear.parts, hasBias: linear.hasBias, activation: activation)
      let made = try patch.add(fused, inputs)
      return try patch.replacing(result, by: made)
    }
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
    default: return nil
    }
  }
}
