import TensorCore

extension GraphPasses {
  /// A float addition of two tensors of one shape, one of them a convolution's result that nothing else reads,
  /// is done by the convolution as it stores.
  static func fuseResiduals(_ graph: inout Graph, _ options: CompileOptions) {
    let consumers = graph.consumers()
    var producers: [Value: Int] = [:]
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
    }
    for index in graph.nodes.indices {
      guard let addition = graph.nodes[index].operation as? Add, graph.nodes[index].inputs.count == 2,
        let (producer, residual) = residual(of: graph.nodes[index], graph, consumers, producers)
      else { continue }
      let convolution = graph.nodes[producer]
      guard let operation = convolution.operation as? Convolution2D else { continue }
      var inputs = convolution.inputs
      while inputs.count < 3 { inputs.append(nil) }
      // At the addition's place both the image and the residual exist.
      graph.nodes[index].operation = operation.with(activation: addition.activation)
      graph.nodes[index].inputs = inputs + [residual]
      graph.nodes[index].label = "\(convolution.label) + \(graph.nodes[index].label)"
    }
    removeDeadNodes(&graph, options)
  }

  /// The convolution that can take over the addition, by its node, and what it would add.
  private static func residual(
    of node: Node, _ graph: Graph, _ consumers: [[Int]], _ producers: [Value: Int]
  ) -> (producer: Int, residual: Value)? {
    guard let a = node.inputs[0], let b = node.inputs[1], let output = node.outputs.first, a != b,
      graph[a].type.dataType == .float32, graph[a].type.shape == graph[b].type.shape,
      graph[a].type.shape == graph[output].type.shape
    else { return nil }
    for (value, other) in [(a, b), (b, a)] {
      guard let producer = producers[value], consumers[value.index].count == 1,
        !graph.outputs.contains(value),
        let convolution = graph.nodes[producer].operation as? Convolution2D,
        convolution.canAddResidual(graph.operands(of: graph.nodes[producer]))
      else { continue }
      return (producer, other)
    }
    return nil
  }
}
