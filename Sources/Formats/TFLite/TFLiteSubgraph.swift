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
  /// values where there must be dense ones, external values, other quantization schemes, custom and unknown
  /// operators. Builtin operators that are known but not implemented are for the importer to name.
  package var obstacles: [String] {
    let given = Set(inputs)
    let readers = sparseReaders
    let tensors = tensors.flatMap { tensor in
      tensor.obstacles(isInput: given.contains(tensor.index), sparseReader: readers[tensor.index]).map {
        "\(tensor.label): \($0)"
      }
    }
    let operators = operators.compactMap { step in
      step.code.customName != nil
        ? "\(step.label): a custom operator" : step.builtin == nil ? "\(step.label): unknown" : nil
    }
    return tensors + operators
  }

  /// For each tensor with a sparse encoding that is read as what it is not, what reads it first so: a sparse constant as
  /// a dense tensor, by anything but DENSIFY, FULLY_CONNECTED as its weights, and DEQUANTIZE of float16; or a tensor
  /// that is no constant as a sparse one.
  package var sparseReaders: [Int: String] {
    var readers: [Int: String] = [:]
    for step in operators {
      for case (let position, let index?) in step.inputs.enumerated()
      where tensors[index].isSparse && readers[index] == nil {
        let tensor = tensors[index]
        let wantsSparse = step.builtin == .DENSIFY || step.builtin == .FULLY_CONNECTED && position == 1
        let widens = step.builtin == .DEQUANTIZE && tensor.type == .float16
        if tensor.sparsity == nil ? wantsSparse : !(wantsSparse || widens) { readers[index] = step.label }
      }
    }
    for index in outputs where tensors[index].sparsity != nil && readers[index] == nil {
      readers[index] = "the caller"
    }
    return readers
  }
}

extension TFLiteTensor {
  /// The element types of sparse constants that are made dense, which are those that TFLite's DENSIFY takes.
  package static let densifiedTypes: Set<TFLiteTensorType> = [.float32, .float16, .int8]

  /// What makes the tensor impossible to compute with.
  /// - Parameters:
  ///   - isInput: whether the caller gives it for every run; then a variable is one by name only.
  ///   - reader: what reads the tensor as ``TFLiteSubgraph/sparseReaders`` says.
  package func obstacles(isInput: Bool, sparseReader reader: String? = nil) -> [String] {
    var found: [String] = []
    if type.dataType == nil { found.append("elements of type \(type.name)") }
    if isVariable && !isInput { found.append("a variable, which keeps its value between runs") }
    if let obstacle = sparseObstacle(reader: reader) { found.append(obstacle) }
    if isExternal { found.append("values in another file") }
    if let scheme = quantization?.scheme, scheme != .affine { found.append("\(scheme) quantization") }
    return found
  }

  /// What makes the tensor impossible to compute with because it has a sparse encoding.
  /// - Parameter reader: what reads the tensor as ``TFLiteSubgraph/sparseReaders`` says.
  package func sparseObstacle(reader: String?) -> String? {
    guard sparsity != nil else { return reader == nil ? nil : "a sparse encoding without values" }
    if !Self.densifiedTypes.contains(type) { return "values of \(type.name) in a sparse encoding" }
    return reader.map { "values in a sparse encoding, read by \($0)" }
  }
}
