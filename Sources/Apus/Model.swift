import Graph
import Kernels
import TensorCore

/// A compiled model that any number of threads may run at once.
package final class Model: Sendable {
  package let file: ModelFile
  package let options: ModelOptions
  /// The model as it was imported, before any pass.
  package let graph: Graph
  package let compiled: CompiledModel
  private let workspaces: WorkspacePool

  /// - Parameter inputShapes: shapes other than those in the file, by the input's position.
  /// - Throws: ``ApusError`` with the file's name, and the operators that Apus does not run.
  package init(
    _ file: ModelFile, options: ModelOptions = ModelOptions(), inputShapes: [Int: Shape] = [:]
  ) throws(ApusError) {
    self.file = file
    self.options = options
    let graph = try file.graph(options.entry, inputShapes: inputShapes)
    let compiled = try file.inFile { () throws(ApusError) in try Compiler.compile(graph, options.compile) }
    self.graph = graph
    self.compiled = compiled
    workspaces = WorkspacePool(compiled, capacity: ThreadPool.shared.size)
  }

  package convenience init(
    contentsOf path: String, options: ModelOptions = ModelOptions()
  ) throws(ApusError) {
    try self.init(ModelFile(path), options: options)
  }

  package var inputs: [ValueInfo] { compiled.inputs }
  package var outputs: [ValueInfo] { compiled.outputs }

  /// Calls `body` with memory for one run.
  package func withWorkspace<Result>(
    _ body: (Workspace) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    try workspaces.withWorkspace(body)
  }

  /// Runs the model on copies of `inputs`.
  /// - Throws: ``ApusError`` when the inputs are not of the model's types, an operation refuses its data, or
  ///   the work is cancelled.
  package func run(
    _ inputs: [Tensor], isCancelled: () -> Bool = { false }
  ) throws(ApusError) -> [Tensor] {
    try withWorkspace { (workspace) throws(ApusError) in
      try workspace.setInputs(inputs)
      try workspace.run(isCancelled: isCancelled)
      return try workspace.outputs()
    }
  }
}
