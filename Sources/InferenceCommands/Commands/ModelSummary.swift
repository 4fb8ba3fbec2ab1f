import CommandSupport
import Apus
import Graph
import Networks
import TensorCore

/// The output of `inspect` for a model.
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
  /// The name of the network in the model.
  let network: String
  let fileBytes: Int
  let description: String
  let signatures: [String]
  let subgraphs: Int
  /// The inputs for `run`.
  let inputs: [TensorDescription]
  /// Whether the types of inputs are stated, and not up to the caller.
  let statesInputs: Bool
  /// The types of inputs for which the rest is told.
  let inputTypes: [TensorType]
  let outputs: [(name: String, type: TensorType)]
  let nodes: [Node]
  /// Elements of all tensors that the file gives and an operation reads, but for integers without a scale,
  /// which are shapes and indices.
  let parameters: Int
  let weightBytes: Int
  let arenaBytes: Int
  let computation: Computation

  var multiplyAccumulates: Int {
    nodes.reduce(0) { min($0, Int.max / 2) + min($1.multiplyAccumulates, Int.max / 2) }
  }

  /// - Parameter network: of `opened`; a tower is told of for one picture or one text.
  init(_ network: Network, of opened: OpenedModel, _ options: ModelOptions) throws(ApusError) {
    let imported = try network.graph()
    let model = try Model(path: opened.path, graph: imported, options: options)
    path = model.path
    self.network = network.name
    fileBytes = opened.form.byteCount
    description = opened.form.description
    signatures = opened.form.signatures
    subgraphs = opened.form.subgraphCount
    inputs = try network.inputs()
    inputTypes = imported.inputs.map { imported[$0].type }
    statesInputs = opened.form.statesNumbers
    outputs = try zip(network.outputs(), model.outputs).map { (name: $0.name, type: $1.type) }
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
    let weights = imported.weightTypes
    parameters = weights.reduce(0) { $0 + $1.shape.elementCount }
    weightBytes = weights.reduce(0) { $0 + $1.byteCount }
    arenaBytes = model.compiled.plan.byteCount
    computation = Computation(model.compiled, part: network.name)
  }
}

extension ModelSummary {
  /// Prints the networks of one model, each under its name if there are several.
  static func print(_ summaries: [ModelSummary]) {
    for (index, summary) in summaries.enumerated() {
      if index > 0 { StandardStreams.printText("") }
      if summaries.count > 1 { StandardStreams.printText("\(summary.network) tower") }
      summary.print()
    }
  }

  /// One object for the networks of one model; several are a list of `parts`.
  static func json(_ summaries: [ModelSummary]) -> JSON {
    guard summaries.count > 1, let first = summaries.first else {
      return summaries.first?.json ?? .object([])
    }
    return .object(JSON.file(first.path) + [("parts", .array(summaries.map(\.json))), JSON.madeBy])
  }

  private func print() {
    let line = StandardStreams.printText
    line("\(path): \(Format.bytes(fileBytes))\(description.isEmpty ? "" : ", '\(description)'")")
    if !signatures.isEmpty { line("signatures: \(signatures.joined(separator: ", "))") }
    if subgraphs > 1 { line("subgraphs: \(subgraphs)") }
    for (index, input) in inputs.enumerated() {
      let form = statesInputs ? "\(type(ofInput: index))\(Self.freedom(input))" : input.form
      line("input \(index) '\(input.name)'\(input.isOptional ? ", optional" : ""): \(form)")
    }
    for (index, output) in outputs.enumerated() { line("output \(index) '\(output.name)': \(output.type)") }
    line("parameters: \(Format.count(parameters)) in \(Format.bytes(weightBytes))")
    line("multiply-accumulates: \(Format.count(multiplyAccumulates))")
    line("memory of a run: \(Format.bytes(arenaBytes))")
    line(computation.summary)
    line("")
    var table = Table([("node", .left), ("result", .left), ("MACs", .right), ("kernel", .left)])
    for node in nodes {
      let results = node.outputs.map { "\($0.dataType.rawValue)\($0.shape)" }.joined(separator: " ")
      let work = node.multiplyAccumulates > 0 ? Format.count(node.multiplyAccumulates) : ""
      table.append([node.label, results, work, node.kernel])
    }
    table.print()
  }

  private var json: JSON {
    .object(
      JSON.file(path) + [
        ("bytes", .integer(fileBytes)), ("description", .string(description)),
        ("signatures", .array(signatures.map(JSON.string))), ("subgraphs", .integer(subgraphs)),
        ("inputs", .array(inputs.indices.map(member))),
        ("outputs", .array(outputs.map { .object(TensorMembers.of($0.name, $0.type)) })),
        ("parameters", .integer(parameters)), ("weight_bytes", .integer(weightBytes)),
        ("arena_bytes", .integer(arenaBytes)), ("multiply_accumulates", .integer(multiplyAccumulates)),
        ("operators", .array(nodes.map(Self.json))), computation.member, JSON.madeBy,
      ])
  }

  private func type(ofInput index: Int) -> TensorType {
    inputTypes.count == inputs.count ? inputTypes[index] : inputs[index].type
  }

  private static func freeAxes(_ input: TensorDescription) -> [Int] {
    input.extents.indices.filter { input.extents[$0].isFree }
  }

  /// A remark on an input whose extents are up to the caller; empty for any other.
  private static func freedom(_ input: TensorDescription) -> String {
    let axes = freeAxes(input)
    guard let last = axes.last else { return "" }
    let others = axes.dropLast().map(String.init).joined(separator: ", ")
    return others.isEmpty ? ", axis \(last) is free" : ", axes \(others) and \(last) are free"
  }

  private func member(_ index: Int) -> JSON {
    let input = inputs[index]
    guard statesInputs else { return .object(TensorMembers.of(input)) }
    var members = TensorMembers.of(input.name, type(ofInput: index))
    let axes = Self.freeAxes(input)
    if !axes.isEmpty { members.append(("free_axes", .array(axes.map(JSON.integer)))) }
    return .object(members)
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
      ("multiply_accumulates", .integer(node.multiplyAccumulates)),
    ])
  }
}
