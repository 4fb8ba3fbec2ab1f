import TensorCore

extension GraphPasses {
  /// A number times its logistic, which nothing else reads, is one function of it: in bytes one table instead of a
  /// table and a product, with the same roundings.
  static func recognizeSwish(_ graph: inout Graph, _ options: CompileOptions) {
    let consumers = graph.consumers()
    var gates: [Value: Node] = [:]
    for node in graph.nodes where node.operation is Logistic {
      for gate in node.outputs where consumers[gate.index].count == 1 && !graph.outputs.contains(gate) {
        gates[gate] = node
      }
    }
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard let multiply = node.operation as? Multiply, node.inputs.count == 2,
        let (x, gate) = factors(node, gates)
      else { continue }
      let type = graph[x].type.dataType
      guard type == .float32 ? multiply.activation == .none : type.byteCount == 1 else { continue }
      graph.nodes[index].operation = Swish(
        gate: graph[gate].type.quantization, activation: multiply.activation)
      graph.nodes[index].inputs = [x]
    }
    removeDeadNodes(&graph, options)
  }

  /// The operands of a product of which one is the logistic of the other.
  private static func factors(_ node: Node, _ gates: [Value: Node]) -> (x: Value, gate: Value)? {
    guard case let first?? = node.inputs.first, case let second?? = node.inputs.last else { return nil }
    if gates[second]?.inputs.first == first { return (first, second) }
    if gates[first]?.inputs.first == second { return (second, first) }
    return nil
  }
}
