import Formats
import TensorCore

/// Everything in the nodes of a graph that Apus does not run, to be named at once.
struct ONNXRefusals {
  private var kinds: [ExactText] = []
  private var counts: [ExactText: Int] = [:]

  /// - Parameter functions: operators that the file defines itself.
  init(_ nodes: [ONNXNode], functions: [ONNXFunctionName]) {
    let own = Set(functions.map { ExactText("\($0.domain)::\($0.name)") })
    for node in nodes where !ONNXOperators.has(node) {
      let isOwn = own.contains(ExactText("\(node.domain)::\(node.type)"))
      let kind = ExactText(isOwn ? "\(node.qualifiedType), which the file defines" : node.qualifiedType)
      if counts[kind] == nil { kinds.append(kind) }
      counts[kind, default: 0] += 1
    }
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` when there is anything.
  func check() throws(ApusError) {
    guard !kinds.isEmpty else { return }
    let list = kinds.sorted().map { "\($0) (\(counts[$0] ?? 0))" }.joined(separator: ", ")
    throw ApusError(
      .unsupportedModel, "operators that Apus does not run: \(list)",
      advice: "Export the model with feed-forward operators on numbers only.")
  }
}
