import TensorCore

/// Nodes that take the place of those that compute a value.
struct GraphPatch {
  private(set) var graph: Graph
  private var nodes: [Node] = []
  private let label: String

  /// - Parameter label: names the nodes in errors and reports.
  init(_ graph: Graph, label: String) {
    self.graph = graph
    self.label = label
  }

  /// A constant for the new nodes.
  mutating func constant<Element: TensorElement>(
    _ name: String, _ elements: [Element], _ shape: [Int]? = nil
  ) throws(ApusError) -> Value {
    let tensor = try Tensor(elements, shape: shape)
    graph.values.append(ValueInfo(name: name, type: tensor.type, constant: tensor))
    return Value(index: graph.values.count - 1)
  }

  /// The one result of another node.
  mutating func add(_ operation: any Operation, _ inputs: [Value?]) throws(ApusError) -> Value {
    var node = Node(operation: operation, inputs: inputs, outputs: [], label: label)
    let type = try operation.outputTypes(graph.operands(of: node))[0]
    graph.values.append(ValueInfo(name: operation.name, type: type))
    node.outputs = [Value(index: graph.values.count - 1)]
    nodes.append(node)
    return node.outputs[0]
  }

  /// `value` under another shape, if it has not that shape.
  mutating func reshaped(_ value: Value, _ shape: Shape) throws(ApusError) -> Value {
    graph[value].type.shape == shape ? value : try add(Reshape(shape: shape.dimensions), [value])
  }

  /// The graph in which the new nodes make `value`, of which the last one made `result`, under its shape.
  mutating func replacing(_ value: Value, by result: Value) throws(ApusError) -> Graph {
    let last = try reshaped(result, graph[value].type.shape)
    guard let place = graph.nodes.firstIndex(where: { $0.outputs.contains(value) }),
      let made = nodes.lastIndex(where: { $0.outputs == [last] })
    else { return graph }
    nodes[made].outputs = [value]
    graph.nodes.replaceSubrange(place...place, with: nodes)
    return graph
  }
}
