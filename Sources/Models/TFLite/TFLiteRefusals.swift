import Formats
import TensorCore

/// Everything in a subgraph, and in those it is composed of, that Apus does not run, to be named at once.
struct TFLiteRefusals {
  /// Kinds of operators, such as `stateful LSTM`, in the order of their first occurrence.
  private var kinds: [ExactText] = []
  /// For each kind where its operators stand.
  private var places: [ExactText: [String]] = [:]
  private var tensors: [String] = []
  /// Whether all of ``tensors`` could be computed with if they were not sparse.
  private var areSparseAlone = true
  private var visited: Set<Int> = []
  private let model: TFLiteModel

  init(of subgraph: Int, in model: TFLiteModel) {
    self.model = model
    collect(model.subgraphs[subgraph], prefix: "")
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` when there is anything.
  func check() throws(ApusError) {
    let operators = kinds.map { "\($0) (\(Self.list(places[$0] ?? [])))" }.joined(separator: ", ")
    var problems: [String] = []
    if !operators.isEmpty { problems.append("operators that Apus does not run: \(operators)") }
    if !tensors.isEmpty {
      problems.append("tensors that Apus does not compute with: \(tensors.joined(separator: ", "))")
    }
    guard !problems.isEmpty else { return }
    throw ApusError(
      .unsupportedModel, problems.joined(separator: "; "),
      advice: operators.isEmpty && areSparseAlone
        ? TFLiteSparsity.advice : "Export the model with feed-forward builtin operators on numbers only.")
  }

  private mutating func collect(_ subgraph: TFLiteSubgraph, prefix: String) {
    guard visited.insert(subgraph.index).inserted else { return }
    let given = Set(subgraph.inputs)
    var used = given.union(subgraph.outputs)
    for step in subgraph.operators {
      if let body = (step.options as? CompositeOptions)?.decomposition {
        collect(model.subgraphs[body], prefix: "subgraph \(body) ")
      } else if let kind = refusedKind(step, in: subgraph).map({ ExactText($0) }) {
        if places[kind] == nil { kinds.append(kind) }
        places[kind, default: []].append("\(prefix)operator \(step.index)")
        continue
      }
      used.formUnion(step.inputs.compactMap(\.self))
      used.formUnion(step.outputs)
    }
    let readers = subgraph.sparseReaders
    for tensor in used.sorted().map({ subgraph.tensors[$0] }) {
      let isInput = given.contains(tensor.index)
      let reader = readers[tensor.index]
      let sparse = tensor.sparseObstacle(reader: reader)
      for obstacle in tensor.obstacles(isInput: isInput, sparseReader: reader) {
        tensors.append("\(prefix)\(tensor.label) (\(obstacle))")
        if obstacle != sparse { areSparseAlone = false }
      }
    }
  }

  /// What a step is that cannot run; nil for one that can, as far as its operator and options say.
  private func refusedKind(_ step: TFLiteOperator, in subgraph: TFLiteSubgraph) -> String? {
    if let name = step.code.customName {
      return name.hasPrefix("Flex") ? "TensorFlow's '\(name)'" : "custom '\(name)'"
    }
    guard let builtin = step.builtin else { return "unknown \(step.code.name)" }
    guard !TFLiteOperators.resolved.contains(builtin) else { return nil }
    guard let descriptor = TFLiteOperators[builtin] else {
      let kind = TFLiteRefusedFamily.of(builtin)?.kind
      return (kind.map { $0 + " " } ?? "") + builtin.name
    }
    do throws(ApusError) {
      _ = try descriptor.operation(TFLiteStep(step, in: subgraph, of: model))
      return nil
    } catch {
      return error.kind == .unsupportedModel ? "\(builtin.name) with \(error.problem)" : nil
    }
  }

  private static func list(_ places: [String]) -> String {
    let shown = places.prefix(8).joined(separator: ", ")
    return places.count > 8 ? "\(shown) and \(places.count - 8) more" : shown
  }
}
