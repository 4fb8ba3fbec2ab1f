import Formats
import Graph
import Models
import TensorCore

/// The main subgraph of a TFLite file, what its tensors are in the graph, and which of them are constant.
struct FloatNetwork {
  let subgraph: TFLiteSubgraph
  let model: TFLiteModel
  let graph: Graph
  private let values: [Int: Value]
  /// The indices of the operators that stay floats.
  private var kept: Set<Int> = []

  /// - Parameter kept: the operators that stay floats, by their own names or those of their results and weights.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a model of several subgraphs, or what Apus does not
  ///   run; of kind `argument` for a pattern that is no name.
  init(_ importer: TFLiteImporter, keeping kept: LayerPatterns = LayerPatterns()) throws(ApusError) {
    model = importer.model
    guard model.subgraphs.count == 1 else {
      throw ApusError(.unsupportedModel, "\(model.subgraphs.count) subgraphs", expected: "one")
    }
    subgraph = model.subgraphs[0]
    (graph, values) = try importer.tracedGraph()
    guard !kept.isEmpty else { return }
    try kept.requireMatches(among: steps.flatMap(names))
    self.kept = Set(steps.filter { names($0).contains(where: kept.contains) }.map(\.index))
  }

  /// By what an operator is called: itself, its results, and its weights where it has any.
  private func names(_ step: TFLiteOperator) -> [String] {
    let weights = step.inputs.dropFirst().first.flatMap { $0 }.flatMap { constant($0) == nil ? nil : $0 }
    return [step.label] + (step.outputs + (weights.map { [$0] } ?? [])).map { subgraph.tensors[$0].name }
  }

  /// Whether an operator stays one of floats.
  func isKept(_ step: TFLiteOperator) -> Bool { kept.contains(step.index) }

  /// The operators that run: those whose results are not known already.
  var steps: [TFLiteOperator] {
    subgraph.operators.filter { step in step.outputs.contains { constant($0) == nil } }
  }

  /// The value of a tensor that an operator names.
  func value(_ tensor: Int) -> Value? { values[tensor] }

  /// The elements of a tensor, if they depend on no input.
  func constant(_ tensor: Int) -> Tensor? { values[tensor].flatMap { graph[$0].constant } }

  /// The type that a tensor has in the graph, whose shapes are inferred.
  func type(_ tensor: Int) throws(ApusError) -> TensorType {
    if let value = values[tensor] { return graph[value].type }
    guard let type = subgraph.tensors[tensor].tensorType else {
      throw ApusError(
        .unsupportedModel, "elements of type \(subgraph.tensors[tensor].type.name)",
        at: subgraph.tensors[tensor].label)
    }
    return type
  }

  /// Whether a tensor is a float32 that depends on the inputs.
  func isActivation(_ tensor: Int) -> Bool {
    guard let value = values[tensor] else { return false }
    return graph[value].constant == nil && graph[value].type.dataType == .float32
  }

  /// All of those, in the order in which they come to be.
  var activations: [Int] {
    var seen: Set<Int> = []
    return (subgraph.inputs + steps.flatMap(\.outputs)).filter {
      isActivation($0) && seen.insert($0).inserted
    }
  }

  func label(_ tensor: Int) -> String { subgraph.tensors[tensor].label }

  /// The graph with all activations as its outputs, so that a run keeps them, in the order of ``activations``.
  var observed: Graph {
    var graph = graph
    graph.outputs = activations.compactMap { values[$0] }
    return graph
  }
}
