import TensorCore

/// An operation that can add a tensor shaped like its result as it stores.
protocol ResidualAddingOperation: Operation {
  /// Whether a residual can be added, and the sum given to `activation`.
  func canAddResidual(_ operands: Operands, then activation: Activation) -> Bool
  /// The operation that takes the residual as one more operand, the last, and applies the activation.
  func addingResidual(then activation: Activation) -> any Operation
  /// Operands before the residual, those left out included.
  var residualIndex: Int { get }
}

extension GraphPasses {
  /// A float addition of two tensors of one shape, one of them the result of a convolution or linear layer that
  /// nothing else reads, is done by that as it stores.
  static func fuseResiduals(_ graph: inout Graph, _ options: CompileOptions) {
    let consumers = graph.consumers()
    var producers: [Value: Int] = [:]
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
    }
    for index in graph.nodes.indices {
      guard let addition = graph.nodes[index].operation as? Add, graph.nodes[index].inputs.count == 2,
        let fusion = fusion(of: graph.nodes[index], addition.activation, graph, consumers, producers)
      else { continue }
      let producer = graph.nodes[fusion.producer]
      var inputs = producer.inputs
      while inputs.count < fusion.operation.residualIndex { inputs.append(nil) }
      // At the addition's place both the producer's operands and the residual exist.
      graph.nodes[index].operation = fusion.operation.addingResidual(then: addition.activation)
      graph.nodes[index].inputs = inputs + [fusion.residual]
      graph.nodes[index].label = "\(producer.label) + \(graph.nodes[index].label)"
    }
    removeDeadNodes(&graph, options)
  }

  private struct ResidualFusion {
    /// The node that can take over the addition.
    let producer: Int
    let operation: any ResidualAddingOperation
    let residual: Value
  }

  private static func fusion(
    of node: Node, _ activation: Activation, _ graph: Graph, _ consumers: [[Int]],
    _ producers: [Value: Int]
  ) -> ResidualFusion? {
    guard let a = node.inputs[0], let b = node.inputs[1], let output = node.outputs.first, a != b,
      graph[a].type.dataType == .float32, graph[a].type.shape == graph[b].type.shape,
      graph[a].type.shape == graph[output].type.shape
    else { return nil }
    for (value, other) in [(a, b), (b, a)] {
      guard let producer = producers[value], consumers[value.index].count == 1,
        !graph.outputs.contains(value),
        let operation = graph.nodes[producer].operation as? any ResidualAddingOperation,
        operation.canAddResidual(graph.operands(of: graph.nodes[producer]), then: activation)
      else { continue }
      return ResidualFusion(producer: producer, operation: operation, residual: other)
    }
    return nil
  }
}
