import Formats
import Graph
import TensorCore

/// The linear layers of a graph by the stored tensors that they multiply with.
package struct LinearStructure: Sendable {
  /// Rows of a stored tensor.
  package struct Slice: Sendable, Hashable {
    package let name: String
    package let rows: Range<Int>
  }

  /// A linear layer whose matrices are all stored [outputs, inputs].
  package struct Layer: Sendable {
    /// Where the layer is in the model: `encoder.layers.3.mlp.fc1`.
    package let name: String
    package let input: Value
    package let output: Value
    /// The rows of stored matrices that make its columns, in order.
    package let matrices: [Slice]
    /// Where in the stored biases those of each matrix are; nil where there is none.
    let biases: [Slice?]
  }

  package private(set) var layers: [Layer] = []

  let graph: Graph
  let weights: SafetensorsCollection
  /// For each value, the nodes that read it.
  let readers: [[Int]]
  private var positions: [Int: Int] = [:]
  /// How many operands have each name.
  private var uses: [String: Int] = [:]

  package init(_ graph: Graph, _ weights: SafetensorsCollection) {
    self.graph = graph
    self.weights = weights
    readers = graph.consumers()
    for (index, node) in graph.nodes.enumerated() {
      for case let value? in node.inputs { uses[graph[value].name, default: 0] += 1 }
      if let linear = node.operation as? Linear, let layer = layer(node, linear) {
        positions[index] = layers.count
        layers.append(layer)
      }
    }
  }

  /// The layer that a node is.
  func layer(ofNode index: Int) -> Layer? { positions[index].map { layers[$0] } }

  /// Whether a tensor is an operand once in the graph: what is done to it has one effect.
  func isUsedOnce(_ value: Value) -> Bool { uses[graph[value].name] == 1 && readers[value.index].count == 1 }

  private func layer(_ node: Node, _ linear: Linear) -> Layer? {
    guard let input = node.inputs.first ?? nil, let output = node.outputs.first else { return nil }
    var matrices: [Slice] = []
    var biases: [Slice?] = []
    for part in 0..<linear.parts {
      guard let value = node.inputs[1 + part], let matrix = matrix(value) else { return nil }
      matrices.append(matrix)
      let bias = linear.hasBias ? node.inputs[1 + linear.parts + part] : nil
      biases.append(bias.map { Slice(name: storedBias(graph[$0].name), rows: matrix.rows) })
    }
    return Layer(
      name: graph[output].name, input: input, output: output, matrices: matrices, biases: biases)
  }

  private func matrix(_ value: Value) -> Slice? {
    let info = graph[value]
    let name = WeightRoles.matrix(info.name, weights)
    guard let entry = weights[name], entry.shape.count == 2, let rows = info.type.shape.dimensions.first
    else { return nil }
    guard name != info.name else { return Slice(name: name, rows: 0..<rows) }
    // A part of a stacked matrix: `<name>.<number>.weight`.
    guard let number = Int(info.name.split(separator: ".").dropLast().last ?? ""), number >= 0,
      number < 64, (number + 1) * rows <= entry.shape[0]
    else { return nil }
    return Slice(name: name, rows: number * rows..<(number + 1) * rows)
  }

  /// The stored tensor of a bias, that of a stacked one `<name>.<number>.bias` in the graph.
  private func storedBias(_ name: String) -> String {
    weights.contains(name) ? name : name.split(separator: ".").dropLast(2).joined(separator: ".") + "_bias"
  }
}
