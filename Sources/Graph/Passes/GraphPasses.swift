import TensorCore

/// The rewritings a graph goes through before kernels are chosen, in this order.
enum GraphPasses {
  typealias Pass = @Sendable (inout Graph, CompileOptions) throws(ApusError) -> Void

  private static let fusions: [Pass] = [absorbPads, fuseResiduals]

  static func passes(_ options: CompileOptions) -> [Pass] {
    [removeDeadNodes] + (options.fusesOperations ? fusions : [])
  }

  /// Drops nodes whose results nothing reads.
  static func removeDeadNodes(_ graph: inout Graph, _ options: CompileOptions) {
    var needed = Set(graph.outputs)
    var kept: [Node] = []
    for node in graph.nodes.reversed() where node.outputs.contains(where: needed.contains) {
      needed.formUnion(node.inputs.compactMap(\.self))
      kept.append(node)
    }
    graph.nodes = kept.reversed()
  }
}
