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
  private var roles: [ExactText: WeightRole] = [:]

  /// - Throws: ``ApusError`` when a graph cannot be built: a tensor is missing, say.
  package init(_ architecture: ModelArchitecture, _ weights: SafetensorsCollection) throws(ApusError) {
    for graph in try architecture.smallGraphs() {
      for node in graph.nodes { read(node, graph) }
    }
  }

  package subscript(name: String) -> WeightRole { roles[ExactText(name)] ?? .other }

  private mutating func read(_ node: Node, _ graph: Graph) {
    func source(_ input: Int) -> WeightSource? {
      input < node.inputs.count ? node.inputs[input].flatMap { graph[$0].source } : nil
    }
    switch node.operation {
    // A matrix that the file has the other way round, inputs first, has no row for an output, which could have a
    // scale of its own.
    case let linear as Linear where !linear.weightsAreTransposed:
      for case let matrix? in (1...linear.parts).map(source) where !matrix.isReordered {
        roles[ExactText(matrix.tensor)] = .linear
      }
    case let convolution as Convolution2D:
      let isPatches = convolution.attributes.strideY > 1 && convolution.attributes.padding == .valid
      note(source(1), isPatches ? .patches : .convolution)
    case is DepthwiseConvolution2D: note(source(1), .depthwise)
    case is EmbeddingRows: note(source(0), .table)
    default: break
    }
  }

  private mutating func note(_ source: WeightSource?, _ role: WeightRole) {
    if let source { roles[ExactText(source.tensor)] = role }
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
