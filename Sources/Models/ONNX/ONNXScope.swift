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
  /// What the nodes refer to, where they define an operator.
  private let call: ONNXCall?
  private var values: [ExactText: ONNXValue] = [:]
  private var supplied: Set<ExactText> = []
  private let initializers: [ExactText: ONNXInitializer]

  init(
    _ graph: ONNXGraph, of model: ONNXModel, constants: ONNXConstants, into translation: ONNXTranslation,
    inside outer: ONNXScope? = nil, call: ONNXCall? = nil
  ) throws(ApusError) {
    (self.graph, self.model, self.constants) = (graph, model, constants)
    (self.translation, self.outer, self.call) = (translation, outer, call ?? outer?.call)
    initializers = try graph.namedInitializers()
  }

  func bind(_ name: String, to value: ONNXValue) { values[ExactText(name)] = value }

  /// Gives a name a value in the place of the node that would.
  func supply(_ name: String, with value: ONNXValue) {
    supplied.insert(ExactText(name))
    bind(name, to: value)
  }

  /// Adds every node that the outputs depend on.
  func run() throws(ApusError) {
    let order = try ONNXOrder(graph, supplied: supplied)
    // What an operator of the file needs was looked at with those that ask for it.
    if call == nil || outer != nil { try ONNXRefusals(order.nodes, of: model).check() }
    for node in order.nodes { try add(call?.resolved(node) ?? node, order) }
  }

  /// The value of a name.
  func value(_ name: String) throws(ApusError) -> ONNXValue {
    let key = ExactText(name)
    if let known = values[key] { return known }
    if let tensor = initializers[key] {
      let value = try constants.value(tensor)
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
      if let function = model.function(of: node) {
        try bindResults(of: node, to: results(of: function, node))
        return
      }
      let versions = call?.operatorVersions ?? model.operatorVersions
      guard let version = versions[ExactText(node.domain)] else {
        throw ApusError(.malformedModel, "no version of the operators of '\(node.domain.clipped)'")
      }
      guard !node.domain.isEmpty || ONNXOperators.versions.contains(version) else {
        throw ApusError(
          .unsupportedModel, "version \(version) of ONNX's operators",
          expected: "\(ONNXOperators.versions.lowerBound) to \(ONNXOperators.versions.upperBound)")
      }
      let step = ONNXStep(
        node, version: version, try inputs(of: node), label: node.label, constants: constants, order: order,
        into: translation)
      let results = try translate(step)
      try step.requireAllRead()
      bindResults(of: node, to: results)
    } catch {
      throw error.location?.hasPrefix(node.label) == true ? error : error.at(node.label)
    }
  }

  private func inputs(of node: ONNXNode) throws(ApusError) -> [ONNXValue?] {
    var inputs: [ONNXValue?] = []
    for name in node.inputs {
      let isMissing = name.isEmpty || call?.missing.contains(ExactText(name)) == true
      inputs.append(isMissing ? nil : try value(name))
    }
    if let packing = inputs.lazy.compactMap({ $0?.packing }).first, model.function(of: node) == nil,
      !ONNXPacking.isRead(by: node)
    {
      throw ApusError(
        .unsupportedModel, "elements of type \(packing.name)", expected: "such only before DequantizeLinear")
    }
    // Nothing is compared with a text, but labels may be chosen among them.
    if inputs.contains(where: { $0?.isText == true }), model.function(of: node) == nil {
      let isChoice = ExactText(node.type) == "ArrayFeatureExtractor" || ExactText(node.type) == "Identity"
      guard isChoice else {
        throw ApusError(.unsupportedModel, "elements of type string", expected: "numbers")
      }
    }
    if inputs.contains(where: { $0?.list != nil }), model.function(of: node) == nil,
      !ONNXOperators.sequenceReaders.contains(ExactText(node.type))
    {
      throw ApusError(.unsupportedModel, "a sequence", expected: "a tensor")
    }
    return inputs
  }

  private func bindResults(of node: ONNXNode, to results: [ONNXValue?]) {
    for (name, result) in zip(node.outputs, results) where !name.isEmpty {
      if let result { bind(name, to: result) }
    }
  }

  /// The results of an operator that the file defines: those of its nodes, which know no names but its own.
  private func results(of function: ONNXFunction, _ node: ONNXNode) throws(ApusError) -> [ONNXValue?] {
    try translation.enter(function)
    let call = try ONNXCall(function, by: node, inside: call?.path ?? [])
    let scope = try ONNXScope(
      function.graph, of: model, constants: constants, into: translation, call: call)
    for (input, value) in zip(function.graph.inputs, try inputs(of: node)) {
      if let value { scope.bind(input.name, to: value) }
    }
    try scope.run()
    var results: [ONNXValue?] = []
    for (index, output) in function.graph.outputs.enumerated() {
      let isWanted = index < node.outputs.count && !node.outputs[index].isEmpty
      results.append(isWanted ? try scope.value(output.name) : nil)
    }
    return results
  }

  private func translate(_ step: ONNXStep) throws(ApusError) -> [ONNXValue?] {
    if step.node.domain.isEmpty, ExactText(step.node.type) == "If" { return try chosenBranch(step) }
    guard let known = ONNXOperators.of(step.node) else {
      throw ApusError(.unsupportedModel, "an operator that Apus does not run")
    }
    if let results = try step.byteResults(known) { return results }
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

/// A value that the file states: a tensor, or one in a sparse form.
enum ONNXInitializer {
  case dense(ONNXTensor)
  case sparse(ONNXSparseTensor)
}

extension ONNXConstants {
  func value(_ initializer: ONNXInitializer) throws(ApusError) -> ONNXValue {
    switch initializer {
    case .dense(let dense): try value(dense)
    case .sparse(let sparse): ONNXValue(try tensor(sparse))
    }
  }
}

extension ONNXGraph {
  /// - Throws: ``ApusError`` of kind `malformedModel` where two have one name.
  func namedInitializers() throws(ApusError) -> [ExactText: ONNXInitializer] {
    var named: [ExactText: ONNXInitializer] = [:]
    let all =
      initializers.map { (tensor: $0, ONNXInitializer.dense($0)) }
      + sparseInitializers.map { (tensor: $0.values, ONNXInitializer.sparse($0)) }
    for (tensor, initializer) in all {
      guard named.updateValue(initializer, forKey: ExactText(tensor.name)) == nil else {
        throw ApusError(.malformedModel, "two initializers", expected: "one", at: tensor.label)
      }
    }
    return named
  }
}
