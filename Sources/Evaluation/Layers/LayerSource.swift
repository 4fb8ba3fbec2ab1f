import Graph

/// One side of a comparison layer by layer: a graph as the importer or the builder left it, and how it is run.
package struct LayerSource: Sendable {
  package let graph: Graph
  /// The precision, the instruction set (`kernels`) and the threads.
  package let options: CompileOptions

  package init(_ graph: Graph, _ options: CompileOptions = CompileOptions()) {
    self.graph = graph
    self.options = options
  }
}
