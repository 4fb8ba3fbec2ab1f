import Formats
import Graph
import TensorCore

/// The linear layers of a graph by the stored tensors that they multiply with.
package struct LinearStructure: Sendable {
  /// A linear layer whose matrices are all stored [outputs, inputs].
  package struct Layer: Sendable {
    /// Where the layer is in the model: `encoder.layers.3.mlp.fc1`.
    package let name: String
    package let input: Value
    package let output: Value
    /// The rows of stored matrices that make its columns, in order.
    package let matrices: [WeightSource]
    /// Where in the stored biases those of each matrix are; nil where there is none.
    let biases: [WeightSource?]
  }

  package private(set) var layers: [Layer] = []

  let graph: Graph
  let weights: SafetensorsCollection
  /// For each value, the nodes that read it.
  let readers: [[Int]]
  private var positions: [Int: Int] = [:]
  /// How many operands were read from each place.
  private var uses: [WeightSource: Int] = [:]

  package init(_ graph: Graph, _ weights: SafetensorsCollection) {
    self.graph = graph
    self.weights = weights
    readers = graph.consumers()
    for (index, node) in graph.nodes.enumerated() {
      for case let value? in node.inputs {
        if let source = graph[value].source { uses[source, default: 0] += 1 }
      }
      if let linear = node.operation as? Linear, let layer = layer(node, linear) {
        positions[index] = layers.count
        layers.append(layer)
      }
    }
  }

  /// The layer that a node is.
  func layer(ofNode index: Int) -> Layer? { positions[index].map { layers[$0] } }

  /// Whether a stored tensor is an operand once in the graph: what is done to it has one effect.
  func isUsedOnce(_ value: Value) -> Bool {
    readers[value.index].count == 1 && graph[value].source.map { uses[$0] == 1 } == true
  }

  private func layer(_ node: Node, _ linear: Linear) -> Layer? {
    guard !linear.weightsAreTransposed, let input = node.inputs.first ?? nil,
      let output = node.outputs.first
    else { return nil }
    var matrices: [WeightSource] = []
    var biases: [WeightSource?] = []
    for part in 0..<linear.parts {
      guard let value = node.inputs[1 + part], let matrix = graph[value].source, !matrix.isReordered,
        weights[matrix.tensor]?.shape.count == 2
      else { return nil }
      matrices.append(matrix)
      let bias = linear.hasBias ? node.inputs[1 + linear.parts + part] : nil
      let source = bias.flatMap { graph[$0].source }
      guard bias == nil || source != nil else { return nil }
      biases.append(source)
    }
    return Layer(
      name: graph[output].name, input: input, output: output, matrices: matrices, biases: biases)
  }
}
