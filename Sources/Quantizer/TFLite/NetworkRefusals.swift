import Formats
import TensorCore

/// Everything in a network that cannot be brought to int8, to be named at once before any work.
enum NetworkRefusals {
  /// - Throws: ``ApusError`` of kind `unsupportedModel`.
  static func check(_ network: FloatNetwork) throws(ApusError) {
    var problems: [String] = []
    var kinds: [String: Int] = [:]
    for step in network.steps {
      if let builtin = step.builtin, let rule = IntegerRule.table[builtin] {
        if let problem = problem(step, rule, network) { problems.append("\(step.label): \(problem)") }
      } else {
        kinds[step.code.name, default: 0] += 1
      }
    }
    problems += kinds.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value) of them)" }
    guard problems.isEmpty else {
      let names = IntegerRule.table.keys.map(\.name).sorted().joined(separator: ", ")
      throw ApusError(
        .unsupportedModel, "what is not brought to int8: \(problems.prefix(12).joined(separator: "; "))",
        expected: "float operators among \(names)")
    }
    guard network.subgraph.inputs.contains(where: network.isActivation) else {
      throw ApusError(.unsupportedModel, "no input of float32", expected: "a model of float activations")
    }
  }

  private static func problem(
    _ step: TFLiteOperator, _ rule: IntegerRule, _ network: FloatNetwork
  ) -> String? {
    let tensors = step.inputs.compactMap(\.self) + step.outputs
    for tensor in tensors where network.subgraph.tensors[tensor].quantization?.parameters != nil {
      return "\(network.label(tensor)) is quantized already"
    }
    guard case .weighted = rule.kind else { return nil }
    guard step.inputs.count >= 2, let weights = step.inputs[1],
      network.constant(weights)?.dataType.isFloat == true
    else { return "its weights are no float constant" }
    if step.inputs.count > 2, let bias = step.inputs[2], network.constant(bias)?.dataType.isFloat != true {
      return "its bias is no float constant"
    }
    return nil
  }
}
