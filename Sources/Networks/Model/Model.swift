import Graph
import Kernels
import TensorCore

/// A compiled model that any number of threads may run at once. It keeps nothing of the file but what runs need.
package final class Model: NetworkMemory {
  /// The file it was made from.
  package let path: String
  package let options: ModelOptions
  package let compiled: CompiledModel
  private let workspaces: WorkspacePool

  /// - Parameter path: the model's name in errors.
  /// - Throws: ``ApusError`` with that name, when the graph cannot be compiled.
  package convenience init(path: String, graph: Graph, options: ModelOptions) throws(ApusError) {
    try self.init(path: path, graph: graph, options: options, workspaces: WorkspacePool())
  }

  /// - Parameter workspaces: memory for runs, which other models may share.
  init(path: String, graph: Graph, options: ModelOptions, workspaces: WorkspacePool) throws(ApusError) {
    self.path = path
    self.options = options
    self.workspaces = workspaces
    compiled = try naming(path) { () throws(ApusError) in try Compiler.compile(graph, options.compile) }
  }

  package var inputs: [ValueInfo] { compiled.inputs }
  package var outputs: [ValueInfo] { compiled.outputs }
  /// Bytes that one run works in.
  package var workspaceByteCount: Int { compiled.plan.byteCount }

  package var memory: ModelMemory { ModelMemory(compiled, of: self, runs: workspaces) }

  package func releaseIdleMemory() { workspaces.releaseIdle() }

  package func takeRunTimes() -> [Duration] { workspaces.runTimes.take() }

  /// Calls `body` with memory for one run.
  package func withWorkspace<Result>(
    _ body: (Workspace) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    try workspaces.withWorkspace(of: compiled, body)
  }

  /// Runs the model on what lies in a workspace of it, and takes down how long that took.
  /// - Throws: ``ApusError`` when an operation refuses its data, or the work is cancelled.
  package func run(
    _ workspace: Workspace, profiler: Profiler? = nil, isCancelled: () -> Bool
  ) throws(ApusError) {
    let begin = ContinuousClock.now
    try workspace.run(profiler: profiler, isCancelled: isCancelled)
    workspaces.runTimes.add(ContinuousClock.now - begin)
  }

  /// Runs the model on copies of `inputs`.
  /// - Throws: ``ApusError`` when the inputs are not of the model's types, an operation refuses its data, or
  ///   the work is cancelled.
  package func run(
    _ inputs: [Tensor], isCancelled: () -> Bool = { false }
  ) throws(ApusError) -> [Tensor] {
    try withWorkspace { (workspace) throws(ApusError) in
      try workspace.setInputs(inputs)
      try run(workspace, isCancelled: isCancelled)
      return try workspace.outputs()
    }
  }
}
