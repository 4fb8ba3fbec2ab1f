import Formats
import TensorCore

/// Everything in the nodes of a graph that Apus does not run, to be named at once.
struct ONNXRefusals {
  private let model: ONNXModel
  private var counts: [ExactText: Int] = [:]
  /// What each operator of the file needs; empty while it is looked at, so that one in itself ends.
  private var known: [ONNXFunctionKey: [ExactText: Int]] = [:]

  init(_ nodes: [ONNXNode], of model: ONNXModel) {
    self.model = model
    counts = missing(nodes, depth: 0)
  }

  /// Operators that are not run, and how often nodes ask for them, among them those in the definitions of others.
  private mutating func missing(_ nodes: [ONNXNode], depth: Int) -> [ExactText: Int] {
    var counts: [ExactText: Int] = [:]
    for node in nodes {
      if let function = model.function(of: node) {
        if known[function.key] == nil {
          known[function.key] = [:]
          known[function.key] =
            depth < ONNXCall.maximumDepth ? missing(function.graph.nodes, depth: depth + 1) : [:]
        }
        counts.merge(known[function.key] ?? [:]) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
      } else if !ONNXOperators.has(node) {
        counts[ExactText(node.qualifiedType), default: 0] += 1
      }
    }
    return counts
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` when there is anything.
  func check() throws(ApusError) {
    guard !counts.isEmpty else { return }
    let list = counts.keys.sorted().map { "\($0) (\(counts[$0] ?? 0))" }.joined(separator: ", ")
    throw ApusError(
      .unsupportedModel, "operators that Apus does not run: \(list)",
      advice: "Export the model with feed-forward operators on numbers only.")
  }
}
