import Formats
import Graph
import TensorCore

/// What a model does with a stored tensor, which decides how few bits it may have.
package enum WeightRole: String, Sendable, CaseIterable {
  /// The matrix [outputs, inputs] of a linear layer.
  case linear
  /// The filters [outputs, inputs, height, width] of a convolution that sums over all inputs.
  case convolution
  /// The filters of a convolution that keeps channels apart.
  case depthwise
  /// The filters of the convolution that cuts pictures into patches.
  case patches
  /// A table whose rows are looked up.
  case table
  /// Everything else: biases, parameters of normalisations, tokens, positions.
  case other
}

/// The roles of the tensors in a model folder, found in the graphs that its architecture builds.
package struct WeightRoles: Sendable {
  private var roles: [String: WeightRole] = [:]

  /// - Throws: ``ApusError`` when a graph cannot be built: a tensor is missing, say.
  package init(_ architecture: ModelArchitecture, _ weights: SafetensorsCollection) throws(ApusError) {
    for graph in try architecture.smallGraphs() {
      for node in graph.nodes { read(node, graph, weights) }
    }
  }

  package subscript(name: String) -> WeightRole { roles[name] ?? .other }

  private mutating func read(_ node: Node, _ graph: Graph, _ weights: SafetensorsCollection) {
    func name(_ input: Int) -> String {
      guard input < node.inputs.count, let value = node.inputs[input] else { return "" }
      return graph[value].name
    }
    switch node.operation {
    case let linear as Linear:
      for part in 0..<linear.parts { note(Self.matrix(name(1 + part), weights), .linear, weights) }
    case let convolution as Convolution2D:
      let isPatches = convolution.strideY > 1 && convolution.padding == .valid
      note(Self.filters(name(1)), isPatches ? .patches : .convolution, weights)
    case is DepthwiseConvolution2D: note(Self.filters(name(1)), .depthwise, weights)
    case is EmbeddingRows: note(name(0), .table, weights)
    default: break
    }
  }

  private mutating func note(_ name: String, _ role: WeightRole, _ weights: SafetensorsCollection) {
    if weights.contains(name) { roles[name] = role }
  }

  /// The tensor of a linear layer's matrix; a part of a stacked one is `<name>.<number>.weight` in the graph.
  /// Matrices that the file has the other way round, inputs first, are not meant: a scale for each of their rows
  /// is none for an output.
  static func matrix(_ name: String, _ weights: SafetensorsCollection) -> String {
    guard name.hasSuffix(".weight"), !weights.contains(name) else {
      return name.hasSuffix(".weight") ? name : ""
    }
    let parts = name.split(separator: ".").dropLast(2)
    return parts.joined(separator: ".") + "_weight"
  }

  /// The tensor of filters, whose axes the graph has in another order.
  private static func filters(_ name: String) -> String {
    name.hasSuffix(".filters") ? name.dropLast("filters".count) + "weight" : name
  }
}

extension ModelArchitecture {
  /// A graph for one picture, and one for the shortest text, as far as the model takes them.
  package func smallGraphs() throws(ApusError) -> [Graph] {
    var graphs: [Graph] = []
    if let image { graphs.append(try image.graph(batch: 1)) }
    if let text { graphs.append(try text.graph(tokens: text.paddedLength ?? 1, sequences: 1)) }
    return graphs
  }
}
