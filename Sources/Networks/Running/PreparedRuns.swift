import Graph
import Models
import TensorCore

/// A run of a compiled network, and its inputs.
package struct PreparedRun: Sendable {
  package let model: Model
  package let inputs: [Tensor]

  /// - Throws: ``ApusError`` with the model's name, but when the work is cancelled.
  fileprivate func outputs(
    _ profiler: Profiler?, _ isCancelled: () -> Bool
  ) throws(ApusError) -> [Tensor] {
    try model.withWorkspace { (workspace) throws(ApusError) in
      do throws(ApusError) {
        try workspace.setInputs(inputs)
        try model.run(workspace, profiler: profiler, isCancelled: isCancelled)
        return try workspace.outputs()
      } catch {
        throw error.kind == .cancelled ? error : error.inFile(model.path)
      }
    }
  }
}

/// The name of an output.
package struct OutputName: Sendable {
  /// By callers.
  package let name: String
  /// Inside the file or the graph; it is taken from callers too.
  package let innerName: String

  /// - Parameter innerName: nil where it is the same.
  package init(_ name: String, innerName: String? = nil) {
    (self.name, self.innerName) = (name, innerName ?? name)
  }
}

/// The runs that give one result.
package struct PreparedRuns: Sendable {
  /// At least one.
  package let runs: [PreparedRun]
  /// The runs whose outputs are the rows of the result; nil if one model gives the outputs.
  package let batches: Batches<PreparedRun>?
  /// The names by which callers know the outputs, in order.
  package let outputNames: [OutputName]

  init(_ run: PreparedRun, outputNames: [OutputName]) {
    (runs, batches, self.outputNames) = ([run], nil, outputNames)
  }

  /// - Parameter name: of the rows; nil for the name that the graph has.
  init(_ batches: Batches<PreparedRun>, named name: TowerOutput?) {
    (runs, self.batches) = (batches.contents, batches)
    outputNames = runs[0].model.outputs.prefix(1).map {
      OutputName(name?.rawValue ?? $0.name, innerName: $0.name)
    }
  }

  /// The model of the first batch.
  package var model: Model { runs[0].model }

  /// Runs the model, or each batch in turn.
  /// - Parameters:
  ///   - profiler: told of the nodes of ``model``.
  ///   - isCancelled: asked before each node.
  /// - Returns: all outputs of a model; of batches the rows of the first, in the order of what was given.
  package func outputs(
    profiler: Profiler? = nil, isCancelled: () -> Bool = { false }
  ) throws(ApusError) -> [Tensor] {
    guard let batches else { return try runs[0].outputs(profiler, isCancelled) }
    var first = profiler
    let rows = try batches.map { (run) throws(ApusError) in
      defer { first = nil }
      return try run.outputs(first, isCancelled)[0].rows()
    }.inOrder()
    let width = model.outputs[0].type.shape.dimensions.dropFirst().reduce(1, *)
    return [try Tensor(rows.flatMap(\.self), shape: Shape([rows.count, width]))]
  }
}
