import TensorCore

/// Names one value of a graph.
package struct Value: Hashable, Sendable {
  package let index: Int
}

/// What a graph knows of one of its values.
package struct ValueInfo: Sendable {
  package var name: String
  package var type: TensorType
  /// The elements, when they are known before any input is.
  package var constant: Tensor?
  /// Where the elements were read, for constants from a file.
  package var source: WeightSource?
}

/// One operation applied to values.
package struct Node: Sendable {
  package var operation: any Operation
  /// The operands; nil where an optional one is left out.
  package var inputs: [Value?]
  package var outputs: [Value]
  /// Where the node comes from, for errors and reports: `operator 12 (CONV_2D)`.
  package var label: String
}

/// A model as data: values, and operations on them in an order in which they can run.
package struct Graph: Sendable {
  package var values: [ValueInfo] = []
  package var nodes: [Node] = []
  package var inputs: [Value] = []
  package var outputs: [Value] = []
  package let numbers: Numbers

  /// In which numbers a graph is computed.
  package enum Numbers: Sendable {
    /// Those that it states: a file's.
    case stated
    /// In the precision that is asked for, wherever a layer multiplies by weights.
    case asked
  }

  package init(_ numbers: Numbers = .asked) { self.numbers = numbers }

  package subscript(value: Value) -> ValueInfo {
    get { values[value.index] }
    set { values[value.index] = newValue }
  }

  /// The types and constants of a node's operands, and the types of its results.
  package func operands(of node: Node) -> Operands {
    Operands(
      inputs: node.inputs.map { $0.map { self[$0].type } },
      constants: node.inputs.map { $0.flatMap { self[$0].constant } },
      declared: node.outputs.map { self[$0].type })
  }

  /// Whether a node computes anything.
  func hasElements(_ node: Node) -> Bool {
    node.outputs.contains { self[$0].type.shape.elementCount > 0 }
  }

  /// For each value, the indices of the nodes that read it.
  package func consumers() -> [[Int]] {
    var consumers = [[Int]](repeating: [], count: values.count)
    for (index, node) in nodes.enumerated() {
      for case let input? in node.inputs { consumers[input.index].append(index) }
    }
    return consumers
  }
}
