import TensorCore

/// A graph of a model: tensors, and operators in an order in which they can run.
package struct TFLiteSubgraph: Sendable {
  package let index: Int
  package let name: String
  package let tensors: [TFLiteTensor]
  /// Tensors that the caller gives; none twice.
  package let inputs: [Int]
  /// Tensors that the caller gets.
  package let outputs: [Int]
  package let operators: [TFLiteOperator]

  init(_ table: FlatBufferTable, index: Int, _ context: TFLiteContext) throws(ApusError) {
    self.index = index
    name = try table.string(4, "name") ?? ""
    let tensors = try table.tables(0, "tensors", as: "Tensor").map { (index, table) throws(ApusError) in
      try TFLiteTensor(table, index: index, context)
    }
    self.tensors = tensors
    inputs = try Self.boundary(table, 1, "inputs", tensors)
    outputs = try Self.boundary(table, 2, "outputs", tensors)
    operators = try table.tables(3, "operators", as: "Operator").map { (index, table) throws(ApusError) in
      try TFLiteOperator(table, index: index, tensorCount: tensors.count, context)
    }
    try TFLiteDataFlow.verify(tensors: tensors, inputs: inputs, outputs: outputs, operators: operators)
  }

  private static func boundary(
    _ table: FlatBufferTable, _ slot: Int, _ name: String, _ tensors: [TFLiteTensor]
  ) throws(ApusError) -> [Int] {
    let indices = try table.ints(slot, name)
    for tensor in indices where tensor < 0 || tensor >= tensors.count {
      throw table.error(
        slot, name, "\(name) of the subgraph name tensor \(tensor)",
        expected: "one of the \(tensors.count) tensors")
    }
    return indices
  }
}

extension TFLiteSubgraph {
  /// What no part of Apus can run, each with the place: element types without arithmetic, variables, sparse
  /// or external values, other quantization schemes, custom and unknown operators. Builtin operators that
  /// are known but not implemented are for the importer to name.
  package var obstacles: [String] {
    let given = Set(inputs)
    let tensors = tensors.flatMap { tensor in
      tensor.obstacles(isInput: given.contains(tensor.index)).map { "\(tensor.label): \($0)" }
    }
    let operators = operators.compactMap { step in
      step.code.customName != nil
        ? "\(step.label): a custom operator" : step.builtin == nil ? "\(step.label): unknown" : nil
    }
    return tensors + operators
  }
}

extension TFLiteTensor {
  /// What makes the tensor impossible to compute with.
  /// - Parameter isInput: whether the caller gives it for every run; then a variable is one by name only.
  package func obstacles(isInput: Bool) -> [String] {
    var found: [String] = []
    if type.dataType == nil { found.append("elements of type \(type.name)") }
    if isVariable && !isInput { found.append("a variable, which keeps its value between runs") }
    if isSparse { found.append("values in a sparse encoding") }
    if isExternal { found.append("values in another file") }
    if let scheme = quantization?.scheme, scheme != .affine { found.append("\(scheme) quantization") }
    return found
  }
}
