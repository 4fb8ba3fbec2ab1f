import Graph
import TensorCore

/// What reports say of one side of a matched layer.
struct LayerDescription {
  /// The name of the operation, `input` for an input of the model.
  let kind: String
  let label: String
  /// The element type of the result.
  let type: String
  let shape: [Int]

  /// The baseline's side.
  init(_ pair: LayerAlignment.Pair, _ graph: Graph, _ compiled: Graph) {
    self.init(pair.baseline, pair.baselineNodes, graph, compiled)
  }

  /// The other side.
  init(_ pair: LayerAlignment.Pair, other graph: Graph, _ compiled: Graph) {
    self.init(pair.other, pair.otherNodes, graph, compiled)
  }

  /// - Parameters:
  ///   - nodes: those of `graph` that make up the layer.
  ///   - compiled: the graph that runs, in which the last of them may have been fused with others.
  private init(_ value: Value, _ nodes: [Int], _ graph: Graph, _ compiled: Graph) {
    let info = graph[value]
    type = info.type.dataType.rawValue
    shape = info.type.shape.dimensions
    guard let first = nodes.first else {
      kind = "input"
      label = "input '\(info.name)'"
      return
    }
    let last = compiled.nodes.first { $0.outputs.contains(value) }
    kind = (nodes.count == 1 ? last : nil)?.operation.name ?? graph.nodes[first].operation.name
    let labels = nodes.dropLast().map { graph.nodes[$0].label } + [last].compactMap { $0?.label }
    label = labels.joined(separator: " + ")
  }
}
