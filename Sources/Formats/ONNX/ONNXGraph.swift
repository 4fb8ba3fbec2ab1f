import TensorCore

/// Nodes, the tensors that they read, and what goes in and out: `GraphProto`.
package struct ONNXGraph: Sendable {
  package let name: String
  package let nodes: [ONNXNode]
  /// Tensors with names, among them those of inputs that have a default.
  package let initializers: [ONNXTensor]
  /// Initializers in a sparse form.
  package let sparseInitializers: [ONNXSparseTensor]
  package let inputs: [ONNXValueInfo]
  package private(set) var outputs: [ONNXValueInfo]

  /// Nodes without initializers.
  init(name: String, nodes: [ONNXNode], inputs: [ONNXValueInfo], outputs: [ONNXValueInfo]) {
    (self.name, self.nodes, self.inputs, self.outputs) = (name, nodes, inputs, outputs)
    (initializers, sparseInitializers) = ([], [])
  }

  init(_ message: Slice<StoredBytes>, depth: Int, _ allowance: ONNXAllowance) throws(ApusError) {
    guard depth <= ONNXAllowance.maximumDepth else {
      throw ApusError(
        .malformedModel, "graphs inside graphs, \(depth) deep",
        expected: "at most \(ONNXAllowance.maximumDepth)",
        at: "byte \(message.startIndex)")
    }
    var name = ""
    var (nodes, initializers, sparse): ([ONNXNode], [ONNXTensor], [ONNXSparseTensor]) = ([], [], [])
    var (inputs, outputs): ([ONNXValueInfo], [ONNXValueInfo]) = ([], [])
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        try allowance.take(at: field.offset)
        nodes.append(try ONNXNode(field.bytes(), index: nodes.count, depth: depth, allowance))
      case 2: name = try field.text()
      case 5:
        try allowance.take(at: field.offset)
        initializers.append(try ONNXTensor(field.bytes(), allowance))
      case 11:
        try allowance.take(at: field.offset)
        inputs.append(try ONNXValueInfo(field.bytes(), allowance))
      case 12:
        try allowance.take(at: field.offset)
        outputs.append(try ONNXValueInfo(field.bytes(), allowance))
      case 15:
        try allowance.take(at: field.offset)
        sparse.append(try ONNXSparseTensor(field.bytes(), allowance))
      default: break
      }
    }
    (self.name, self.nodes, self.initializers, sparseInitializers) = (name, nodes, initializers, sparse)
    (self.inputs, self.outputs) = (inputs, outputs)
  }

  /// The same graph with one of its outputs alone.
  package func giving(_ output: String) -> ONNXGraph {
    var graph = self
    graph.outputs = outputs.filter { ExactText($0.name) == ExactText(output) }
    return graph
  }
}
