import Kernels
import TensorCore

/// A model ready to run: immutable, shared freely; each run borrows a ``Workspace``.
package final class CompiledModel: Sendable {
  package let graph: Graph
  package let lowerings: [Lowering]
  package let plan: MemoryPlan
  package let options: CompileOptions
  /// Multiplications with an addition that each node takes.
  package let multiplyAccumulates: [Int]
  /// Bytes of weights that the lowerings keep, but those in a ``PackedWeightStore``.
  package let weightByteCount: Int
  /// The files that runs read constants from.
  let mappedFiles: [MappedFile]

  init(
    graph: Graph, lowerings: [Lowering], plan: MemoryPlan, multiplyAccumulates: [Int],
    weightByteCount: Int, options: CompileOptions
  ) {
    self.multiplyAccumulates = multiplyAccumulates
    self.weightByteCount = weightByteCount
    self.graph = graph
    self.lowerings = lowerings
    self.plan = plan
    self.options = options
    mappedFiles = graph.mappedFiles
  }

  /// The elements of a value that is known, or another name for one that is.
  func constant(_ value: Value) -> Tensor? { graph[plan.owners[value.index]].constant }

  /// Whether runs have the value in memory: passes do away with some, and what only packing needs is dropped.
  package func holds(_ value: Value) -> Bool { plan.offsets[value.index] != nil }

  /// The memory that holds the constants of runs, each once; those in mapped files are ``mappedByteCount``.
  package var constantStorages: [TensorStorage] {
    var storages: [ObjectIdentifier: TensorStorage] = [:]
    for constant in graph.values.compactMap(\.constant) where constant.mappedByteCount == 0 {
      storages[ObjectIdentifier(constant.storage)] = constant.storage
    }
    return Array(storages.values)
  }

  /// Bytes of the constants that runs read from mapped files.
  package var mappedByteCount: Int {
    graph.values.compactMap(\.constant).reduce(0) { $0 + $1.mappedByteCount }
  }

  package var inputs: [ValueInfo] { graph.inputs.map { graph[$0] } }
  package var outputs: [ValueInfo] { graph.outputs.map { graph[$0] } }

  /// A place among what a node writes.
  package struct NodeResult: Sendable {
    let node: Int
    let position: Int
  }

  /// What writes a value; nil for inputs and constants.
  package func result(_ value: Value) -> NodeResult? {
    for (index, node) in graph.nodes.enumerated() {
      if let position = node.outputs.firstIndex(of: value) {
        return NodeResult(node: index, position: position)
      }
    }
    return nil
  }

  /// Memory for one run at a time.
  package func makeWorkspace() throws(ApusError) -> Workspace {
    Workspace(self, in: try TensorStorage(usedOften: plan.byteCount))
  }

  /// The same in memory that is there, of as many bytes as ``plan`` has or more. What else uses it does so between runs,
  /// and leaves the inputs as they are.
  package func makeWorkspace(in memory: TensorStorage) -> Workspace { Workspace(self, in: memory) }

  /// Runs the model once on copies of `inputs` and returns copies of the outputs.
  /// - Throws: ``ApusError`` when the inputs are not of the model's types, or an operation refuses its data.
  package func run(_ inputs: [Tensor]) throws(ApusError) -> [Tensor] {
    let workspace = try makeWorkspace()
    try workspace.setInputs(inputs)
    try workspace.run()
    return try workspace.outputs()
  }
}

extension Tensor {
  /// Bytes that runs read in mapped files: of what is derived a row at a time, those that it is made from.
  fileprivate var mappedByteCount: Int {
    if let derivation = storage.derivation, derivation.isPending {
      return derivation.sources.reduce(0) { $0 + $1.mappedByteCount }
    }
    return mappedFile == nil ? 0 : type.byteCount
  }
}

extension Graph {
  /// The files, each once, whose mappings hold the elements of constants, or what these are made from.
  var mappedFiles: [MappedFile] {
    var files: [ObjectIdentifier: MappedFile] = [:]
    for file in values.flatMap({ $0.constant?.sourceFiles ?? [] }) { files[ObjectIdentifier(file)] = file }
    return files.values.sorted { $0.path < $1.path }
  }
}
