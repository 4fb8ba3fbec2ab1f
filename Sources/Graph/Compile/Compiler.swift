import Kernels
import TensorCore

/// Turns a graph into a model that runs: passes, choice of kernels, packing of weights, plan of memory.
package enum Compiler {
  /// - Throws: ``ApusError`` naming the node that cannot be lowered, or of kind `argument` when the model is not
  ///   computed in the precision that is asked for.
  package static func compile(
    _ graph: Graph, _ options: CompileOptions = CompileOptions()
  ) throws(ApusError) -> CompiledModel {
    // What the environment asks for and is not there is refused here at the latest.
    try EnvironmentVariable.check()
    _ = try KernelSet.selected()
    try options.precision?.require(of: options.kernels)
    let precision = graph.computedPrecision(options.linearPrecision)
    var graph = graph
    for pass in GraphPasses.passes(options) { try pass(&graph, options) }
    try checkSizes(graph, options)
    var lowerings: [Lowering] = []
    for node in graph.nodes {
      do {
        lowerings.append(try lower(node, in: graph, options, precision))
      } catch {
        throw error.at(node.label)
      }
    }
    for file in graph.mappedFiles { try file.checkUndamaged() }
    try options.packedWeights?.checkUndamaged()
    let work = graph.nodes.map { node in
      node.operation.multiplyAccumulates(
        graph.operands(of: node), results: node.outputs.map { graph[$0].type })
    }
    let weights = zip(graph.nodes, lowerings).reduce(0) { sum, item in
      sum + (item.1.weightByteCount ?? graph.preparedByteCount(of: item.0))
    }
    releasePreparedConstants(&graph)
    let plan = MemoryPlan(graph, lowerings)
    guard plan.byteCount <= options.memoryLimit else {
      throw overLimit("a run takes \(plan.byteCount) bytes of working memory", options)
    }
    let model = CompiledModel(
      graph: graph, lowerings: lowerings, plan: plan, multiplyAccumulates: work, weightByteCount: weights,
      options: options)
    // What has no elements is in any precision.
    if graph.nodes.contains(where: graph.hasElements) { try options.precision?.require(model.products) }
    return model
  }

  /// Refuses a value that alone is over the limit, before anything is prepared for it.
  private static func checkSizes(_ graph: Graph, _ options: CompileOptions) throws(ApusError) {
    for value in graph.values where value.constant == nil && value.type.byteCount > options.memoryLimit {
      throw overLimit("\(value.type) takes \(value.type.byteCount) bytes", options).at(
        "value '\(value.name)'")
    }
  }

  private static func overLimit(_ problem: String, _ options: CompileOptions) -> ApusError {
    var error = ApusError(
      .resources, problem, expected: "at most \(options.memoryLimit)",
      advice: "Give the model smaller input shapes.")
    error.isOverLimit = true
    return error
  }

  private static func lower(
    _ node: Node, in graph: Graph, _ options: CompileOptions, _ precision: Precision
  ) throws(ApusError) -> Lowering {
    try node.operation.lowering(
      LoweringContext(
        operands: graph.operands(of: node), results: node.outputs.map { graph[$0].type },
        kernels: options.kernels, threads: options.threads, precision: precision,
        packedWeights: options.packedWeights))
  }

  /// Drops the elements of constants that only ``Operation/lower(_:)`` needed: they live on packed.
  private static func releasePreparedConstants(_ graph: inout Graph) {
    var needed = Set(graph.outputs + graph.inputs)
    for node in graph.nodes {
      let prepared = node.operation.preparedInputs(graph.operands(of: node))
      for (position, input) in node.inputs.enumerated() {
        if let input, !prepared.contains(position) { needed.insert(input) }
      }
    }
    for index in graph.values.indices where graph.values[index].constant != nil {
      if !needed.contains(Value(index: index)) { graph.values[index].constant = nil }
    }
    for index in graph.nodes.indices {
      let prepared = graph.nodes[index].operation.preparedInputs(graph.operands(of: graph.nodes[index]))
      for position in prepared where position < graph.nodes[index].inputs.count {
        if let input = graph.nodes[index].inputs[position], !needed.contains(input) {
          graph.nodes[index].inputs[position] = nil
        }
      }
    }
  }
}

extension Graph {
  /// The precision of the operations for which one is asked.
  package func computedPrecision(_ asked: Precision) -> Precision { numbers == .asked ? asked : .float32 }

  /// Bytes of the constants that only ``Operation/lower(_:)`` of a node reads.
  fileprivate func preparedByteCount(of node: Node) -> Int {
    let operands = operands(of: node)
    return node.operation.preparedInputs(operands).reduce(0) { sum, position in
      let constant = operands.constants.indices.contains(position) ? operands.constants[position] : nil
      return sum + (constant?.type.byteCount ?? 0)
    }
  }
}
