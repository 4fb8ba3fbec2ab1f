import Formats
import Graph
import TensorCore

/// A graph of an ONNX file, or of an attribute of a node in it, on its way into a graph: which value each name has become.
final class ONNXScope {
  private let graph: ONNXGraph
  private let model: ONNXModel
  private let constants: ONNXConstants
  private let translation: ONNXTranslation
  /// The graph around this one, whose names are known here too.
  private let outer: ONNXScope?
  private var values: [ExactText: ONNXValue] = [:]
  private let initializers: [ExactText: ONNXTensor]

  init(
    _ graph: ONNXGraph, of model: ONNXModel, constants: ONNXConstants, into translation: ONNXTranslation,
    inside outer: ONNXScope? = nil
  ) throws(ApusError) {
    (self.graph, self.model, self.constants) = (graph, model, constants)
    (self.translation, self.outer) = (translation, outer)
    initializers = try graph.namedInitializers()
  }

  func bind(_ name: String, to value: ONNXValue) { values[ExactText(name)] = value }

  /// Adds every node that the outputs depend on.
  func run() throws(ApusError) {
    let order = try ONNXOrder(graph)
    try ONNXRefusals(order.nodes, functions: model.functions).check()
    for node in order.nodes { try add(node, order) }
  }

  /// The value of a name.
  func value(_ name: String) throws(ApusError) -> ONNXValue {
    let key = ExactText(name)
    if let known = values[key] { return known }
    if let tensor = initializers[key] {
      let value = ONNXValue(try constants.tensor(tensor))
      values[key] = value
      return value
    }
    guard let outer else {
      throw ApusError(.malformedModel, "'\(name.clipped)' is read, but nothing gives it a value")
    }
    return try outer.value(name)
  }

  private func add(_ node: ONNXNode, _ order: ONNXOrder) throws(ApusError) {
    do throws(ApusError) {
      guard let version = model.operatorVersions[ExactText(node.domain)] else {
        throw ApusError(.malformedModel, "no version of the operators of '\(node.domain.clipped)'")
      }
      guard !node.domain.isEmpty || ONNXOperators.versions.contains(version) else {
        throw ApusError(
          .unsupportedModel, "version \(version) of ONNX's operators",
          expected: "\(ONNXOperators.versions.lowerBound) to \(ONNXOperators.versions.upperBound)")
      }
      var inputs: [ONNXValue?] = []
      for name in node.inputs { inputs.append(name.isEmpty ? nil : try value(name)) }
      let step = ONNXStep(
        node, version: version, inputs, label: node.label, constants: constants, order: order,
        into: translation)
      let results = try translate(step)
      try step.requireAllRead()
      for (name, result) in zip(node.outputs, results) where !name.isEmpty {
        if let result { bind(name, to: result) }
      }
    } catch {
      throw error.location?.hasPrefix(node.label) == true ? error : error.at(node.label)
    }
  }

  private func translate(_ step: ONNXStep) throws(ApusError) -> [ONNXValue?] {
    if step.node.domain.isEmpty, ExactText(step.node.type) == "If" { return try chosenBranch(step) }
    guard let known = ONNXOperators.of(step.node) else {
      throw ApusError(.unsupportedModel, "an operator that Apus does not run")
    }
    return try known.translate(step)
  }

  /// The results of the branch that a condition chooses, which must be known.
  private func chosenBranch(_ step: ONNXStep) throws(ApusError) -> [ONNXValue?] {
    let condition = try step.constant(0, "the condition")
    let elements = try condition.elements(of: Bool.self)
    guard elements.count == 1 else {
      throw ApusError(.malformedModel, "a condition of shape \(condition.shape)", expected: "one element")
    }
    step.passOver("then_branch", "else_branch")
    guard case .graph(let branch) = step.attribute(elements[0] ? "then_branch" : "else_branch") else {
      throw ApusError(.malformedModel, "no branch", expected: "a graph for each")
    }
    guard branch.outputs.count == step.outputCount else {
      throw ApusError(
        .malformedModel, "\(step.outputCount) results", expected: "the \(branch.outputs.count) of the branch")
    }
    let scope = try ONNXScope(branch, of: model, constants: constants, into: translation, inside: self)
    try scope.run()
    var results: [ONNXValue?] = []
    for output in branch.outputs { results.append(try scope.value(output.name)) }
    return results
  }
}

extension ONNXGraph {
  /// - Throws: ``ApusError`` of kind `malformedModel` where two have one name, of kind `unsupportedModel` for sparse ones.
  func namedInitializers() throws(ApusError) -> [ExactText: ONNXTensor] {
    var named: [ExactText: ONNXTensor] = [:]
    for tensor in initializers {
      guard named.updateValue(tensor, forKey: ExactText(tensor.name)) == nil else {
        throw ApusError(.malformedModel, "two initializers", expected: "one", at: tensor.label)
      }
    }
    if let sparse = sparseInitializers.first {
      throw ApusError(
        .unsupportedModel,
        "\(sparseInitializers.count) initializers in a sparse form, such as '\(sparse.clipped)'",
        expected: "dense ones")
    }
    return named
  }
}
