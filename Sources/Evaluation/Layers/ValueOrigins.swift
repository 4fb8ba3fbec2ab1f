import Graph

/// The way back from values of a graph to those that are known by other means.
struct ValueOrigins {
  private let graph: Graph
  /// The node that writes each value; nil for inputs and constants.
  let producers: [Int?]

  /// What some values are computed from.
  struct Origin {
    /// The known values where the ways back end.
    var values: Set<Value> = []
    /// The nodes in between.
    var nodes: Set<Int> = []
  }

  init(_ graph: Graph) {
    self.graph = graph
    var producers = [Int?](repeating: nil, count: graph.values.count)
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { producers[output.index] = index }
    }
    self.producers = producers
  }

  /// The nearest values for which `isKnown` holds on every way back from the operands of `nodes`, and the nodes on
  /// these ways, `nodes` among them.
  func origin(of nodes: [Int], isKnown: (Value) -> Bool) -> Origin {
    var origin = Origin()
    var pending = nodes
    while let index = pending.popLast() {
      guard origin.nodes.insert(index).inserted else { continue }
      for case let operand? in graph.nodes[index].inputs {
        let producer = producers[operand.index]
        // A result of one of `nodes` is part of the question.
        if isKnown(operand), !(producer.map(nodes.contains) ?? false) {
          origin.values.insert(operand)
        } else if let producer {
          pending.append(producer)
        }
      }
    }
    return origin
  }
}
