import Graph

/// One side of a comparison layer by layer: a graph as the importer or the builder left it, and how it is run.
package struct LayerSource: Sendable {
  package let graph: Graph
  /// The precision, the instruction set (`kernels`) and the threads.
  package let options: CompileOptions
  /// The names of the classes whose scores it gives, in its order; nil where there are none.
  package let classNames: [String]?

  package init(
    _ graph: Graph, _ options: CompileOptions = CompileOptions(), classNames: [String]? = nil
  ) {
    self.graph = graph
    self.options = options
    self.classNames = classNames
  }
}
