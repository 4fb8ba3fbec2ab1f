import Apus
import Graph

/// What `inspect` tells of a model.
struct ModelSummary {
  /// One node of the compiled model.
  struct Node {
    let label: String
    let operation: String
    let inputs: [TensorType]
    let outputs: [TensorType]
    let kernel: String
    let multiplyAccumulates: Int
  }

  let path: String
  let fileBytes: Int
  let description: String
  let signatures: [String]
  let subgraphs: Int
  let inputs: [ValueInfo]
  let outputs: [ValueInfo]
  let nodes: [Node]
  /// Elements of all tensors that the file gives and an operation reads, but for integers without a scale,
  /// which are shapes and indices.
  let parameters: Int
  let weightBytes: Int
  let arenaBytes: Int

  var multiplyAccumulates: Int {
    nodes.reduce(0) { min($0, Int.max / 2) + min($1.multiplyAccumulates, Int.max / 2) }
  }

  init(_ file: ModelFile, options: ModelOptions) throws(ApusError) {
    try self.init(
      Model(file, options: options), imported: file.graph(options.entry), fileBytes: file.bytes.count,
      description: file.description.description, signatures: file.description.signatures.map(\.key),
      subgraphs: file.description.subgraphs.count)
  }

  /// - Parameter tower: the network of a model folder, told of for one picture or one text.
  init(_ tower: TowerModel) throws(ApusError) {
    let (graph, model) = try tower.single()
    self.init(model, imported: graph, fileBytes: tower.byteCount, description: tower.description)
  }

  private init(
    _ model: Model, imported: Graph, fileBytes: Int, description: String, signatures: [String] = [],
    subgraphs: Int = 1
  ) {
    path = model.path
    self.fileBytes = fileBytes
    self.description = description
    self.signatures = signatures
    self.subgraphs = subgraphs
    inputs = model.inputs
    outputs = model.outputs
    let graph = model.compiled.graph
    nodes = graph.nodes.indices.map { index in
      let node = graph.nodes[index]
      let results = node.outputs.map { graph[$0].type }
      return Node(
        label: node.label, operation: node.operation.name,
        inputs: node.inputs.compactMap { $0.map { graph[$0].type } }, outputs: results,
        kernel: model.compiled.lowerings[index].kernel,
        multiplyAccumulates: model.compiled.multiplyAccumulates[index])
    }
    let weights = Self.weights(imported)
    parameters = weights.reduce(0) { $0 + $1.shape.elementCount }
    weightBytes = weights.reduce(0) { $0 + $1.byteCount }
    arenaBytes = model.compiled.plan.byteCount
  }

  private static func weights(_ graph: Graph) -> [TensorType] {
    let read = Set(graph.nodes.flatMap { $0.inputs.compactMap(\.self) })
    return read.compactMap { value in
      guard let constant = graph[value].constant else { return nil }
      return constant.dataType.isFloat || constant.quantization != nil ? constant.type : nil
    }
  }
}

extension ModelSummary {
  func print() {
    let line = StandardStreams.printLine
    line("\(path): \(Format.bytes(fileBytes))\(description.isEmpty ? "" : ", '\(description)'")")
    if !signatures.isEmpty { line("signatures: \(signatures.joined(separator: ", "))") }
    if subgraphs > 1 { line("subgraphs: \(subgraphs)") }
    for (index, input) in inputs.enumerated() { line("input \(index) '\(input.name)': \(input.type)") }
    for (index, output) in outputs.enumerated() { line("output \(index) '\(output.name)': \(output.type)") }
    line("parameters: \(Format.count(parameters)) in \(Format.bytes(weightBytes))")
    line("multiply-accumulates: \(Format.count(multiplyAccumulates))")
    line("memory of a run: \(Format.bytes(arenaBytes))")
    line("")
    var table = Table([("node", .left), ("result", .left), ("MACs", .right), ("kernel", .left)])
    for node in nodes {
      let results = node.outputs.map { "\($0.dataType.rawValue)\($0.shape)" }.joined(separator: " ")
      let work = node.multiplyAccumulates > 0 ? Format.count(node.multiplyAccumulates) : ""
      table.append([node.label, results, work, node.kernel])
    }
    table.print()
  }

  var json: JSON {
    .object([
      ("file", .string(path)), ("bytes", .integer(fileBytes)), ("description", .string(description)),
      ("signatures", .array(signatures.map(JSON.string))), ("subgraphs", .integer(subgraphs)),
      ("inputs", .array(inputs.map { .object(TensorDescription.members($0.name, $0.type)) })),
      ("outputs", .array(outputs.map { .object(TensorDescription.members($0.name, $0.type)) })),
      ("parameters", .integer(parameters)), ("weightBytes", .integer(weightBytes)),
      ("arenaBytes", .integer(arenaBytes)), ("multiplyAccumulates", .integer(multiplyAccumulates)),
      ("operators", .array(nodes.map(Self.json))), JSON.madeBy,
    ])
  }

  private static func json(_ node: Node) -> JSON {
    func shapes(_ types: [TensorType]) -> JSON {
      .array(
        types.map {
          .object([
            ("type", .string($0.dataType.rawValue)), ("shape", .array($0.shape.dimensions.map(JSON.integer))),
          ])
        })
    }
    return .object([
      ("label", .string(node.label)), ("operation", .string(node.operation)),
      ("inputs", shapes(node.inputs)), ("outputs", shapes(node.outputs)), ("kernel", .string(node.kernel)),
      ("multiplyAccumulates", .integer(node.multiplyAccumulates)),
    ])
  }
}
