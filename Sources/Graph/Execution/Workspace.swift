import TensorCore

/// The memory of one run: inputs are written into it, ``run(profiler:isCancelled:)`` works in it without
/// allocating, and outputs are read from it. Used by one caller at a time.
package final class Workspace {
  package let model: CompiledModel
  /// Where values and the working memory of nodes lie as the model's plan says.
  package let memory: TensorStorage
  private let nodes: [NodeMemory]

  /// - Parameter memory: of as many bytes as the model's plan has, or more.
  init(_ model: CompiledModel, in memory: TensorStorage) {
    precondition(memory.byteCount >= model.plan.byteCount)
    self.model = model
    self.memory = memory
    func address(_ value: Value) -> UnsafeMutableRawPointer? {
      if let constant = model.constant(value) {
        return UnsafeMutableRawPointer(mutating: constant.bytes.baseAddress)
      }
      return model.plan.offsets[value.index].map { memory.base + $0 }
    }
    func count(_ value: Value) -> Int { model.graph[value].type.shape.elementCount }
    nodes = model.graph.nodes.indices.map { index in
      let (inputs, outputs) = (model.graph.nodes[index].inputs, model.graph.nodes[index].outputs)
      let unread = model.lowerings[index].unreadInputs
      return NodeMemory(
        inputs: inputs.count, outputs: outputs.count, scratch: memory.base + model.plan.scratchOffsets[index],
        input: { number in
          guard let value = inputs[number] else { return (nil, 0) }
          return (unread.contains(number) ? nil : address(value).map { UnsafeRawPointer($0) }, count(value))
        },
        output: { (address(outputs[$0]) ?? memory.base, count(outputs[$0])) })
    }
  }

  /// The memory of input `index`, to be filled before ``run(profiler:isCancelled:)``.
  package func inputBytes(_ index: Int) -> UnsafeMutableRawBufferPointer {
    plannedBytes(of: model.graph.inputs[index])
  }

  /// Copies the elements of all inputs in.
  /// - Throws: ``ApusError`` of kind `argument` naming the input whose type does not match.
  package func setInputs(_ tensors: [Tensor]) throws(ApusError) {
    guard tensors.count == model.graph.inputs.count else {
      throw ApusError(
        .argument, "\(tensors.count) input tensors", expected: "\(model.graph.inputs.count)")
    }
    for (index, tensor) in tensors.enumerated() {
      let wanted = model.inputs[index]
      guard tensor.dataType == wanted.type.dataType, tensor.shape == wanted.type.shape else {
        throw ApusError(
          .argument, "a tensor \(tensor.dataType.rawValue)\(tensor.shape)",
          expected: "\(wanted.type.dataType.rawValue)\(wanted.type.shape)",
          at: "input \(index) ('\(wanted.name)')")
      }
      if let known = wanted.constant {
        try requireKnown(known, tensor, "input \(index) ('\(wanted.name)')")
      } else {
        tensor.copyBytes(to: inputBytes(index))
      }
    }
  }

  /// Refuses elements other than those the graph was built for.
  private func requireKnown(_ known: Tensor, _ given: Tensor, _ input: String) throws(ApusError) {
    let isSame = known.withBytes { known in given.withBytes { known.elementsEqual($0) } }
    guard isSame else {
      throw ApusError(
        .argument, "other elements than those that the model was loaded for", at: input,
        advice: "Shapes depend on this input: load the model again for other elements.")
    }
  }

  /// Runs every node in order.
  /// - Parameters:
  ///   - profiler: told when each node starts and ends.
  ///   - isCancelled: asked before each node.
  /// - Throws: ``ApusError`` of kind `cancelled`; what a node says of its data, with the node's label; of kind
  ///   `file` when a file shrank that holds constants or packed weights.
  package func run(
    profiler: Profiler? = nil, isCancelled: () -> Bool = { false }
  ) throws(ApusError) {
    try run(nodes: nodes.indices, profiler: profiler, isCancelled: isCancelled)
  }

  /// Runs some nodes in order, so that what they leave can be read before the next ones use its memory again:
  /// see ``tensor(_:)``. Those before them must have run, or what they would have left must have been put there.
  package func run(
    nodes range: Range<Int>, profiler: Profiler? = nil, isCancelled: () -> Bool = { false }
  ) throws(ApusError) {
    for index in range {
      if isCancelled() { throw ApusError(.cancelled, "the run was cancelled") }
      let lowering = model.lowerings[index]
      if lowering.aliasedInput != nil { continue }
      profiler?.begin()
      do {
        try nodes[index].run(lowering.body, threads: model.options.threads)
      } catch {
        throw error.at(model.graph.nodes[index].label)
      }
      profiler?.end(node: index)
    }
    for file in model.mappedFiles { try file.checkUndamaged() }
    try model.options.packedWeights?.checkUndamaged()
  }

  /// Copies of all outputs.
  package func outputs() throws(ApusError) -> [Tensor] {
    var tensors: [Tensor] = []
    for index in model.graph.outputs.indices { tensors.append(try output(index)) }
    return tensors
  }

  /// A copy of output `index`.
  package func output(_ index: Int) throws(ApusError) -> Tensor { try tensor(model.graph.outputs[index]) }

  /// A copy of a value that runs have in memory (``CompiledModel/holds(_:)``), made after the node that writes it
  /// and before any that follows the last that reads it.
  package func tensor(_ value: Value) throws(ApusError) -> Tensor {
    let info = model.graph[value]
    if let constant = info.constant { return constant }
    let type = try info.type.withLeadingDimension(leadingDimension(of: value))
    let source = bytes(of: value)
    guard source.count >= type.byteCount else {
      throw ApusError(.argument, "a value that no run has in memory", at: "value '\(info.name)'")
    }
    return try Tensor(type) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<type.byteCount]))
    }
  }

  /// Puts elements in the place of a value that runs have in memory, for nodes that read it.
  /// - Throws: ``ApusError`` of kind `argument` when they are of another type.
  package func set(_ value: Value, _ tensor: Tensor) throws(ApusError) {
    let info = model.graph[value]
    guard tensor.dataType == info.type.dataType, tensor.shape == info.type.shape, model.holds(value) else {
      throw ApusError(
        .argument, "a tensor \(tensor.type)", expected: "\(info.type), which the run has in memory",
        at: "value '\(info.name)'")
    }
    tensor.copyBytes(to: plannedBytes(of: value))
  }

  /// The memory of output `index`, valid until the next run.
  package func outputBytes(_ index: Int) -> UnsafeRawBufferPointer { bytes(of: model.graph.outputs[index]) }

  private func bytes(of value: Value) -> UnsafeRawBufferPointer {
    if let constant = model.constant(value) { return constant.bytes }
    return UnsafeRawBufferPointer(plannedBytes(of: value))
  }

  /// The memory that the plan has for a value; none for constants and values that are not there.
  private func plannedBytes(of value: Value) -> UnsafeMutableRawBufferPointer {
    guard let offset = model.plan.offsets[value.index] else {
      return UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeMutableRawBufferPointer(
      start: memory.base + offset, count: model.graph[value].type.byteCount)
  }

  private func leadingDimension(of value: Value) -> Int? {
    model.result(value).flatMap { leadingDimension(of: $0) }
  }

  /// The leading dimension that the last run found for what a node writes; nil when the shape says it.
  package func leadingDimension(of result: CompiledModel.NodeResult) -> Int? {
    nodes[result.node].leadingDimension(result.position)
  }
}
