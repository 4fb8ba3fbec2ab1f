import Formats
import TensorCore

/// Everything in a network that cannot be brought to integers, to be named at once before any work.
enum NetworkRefusals {
  /// Reasons that an error names, at most.
  private static let shown = 4

  /// - Throws: ``ApusError`` of kind `unsupportedModel`.
  static func check(_ network: FloatNetwork, _ activations: ActivationType) throws(ApusError) {
    let quantized = network.steps.filter { isQuantized($0, network) }
    guard quantized.isEmpty else {
      throw ApusError(
        .unsupportedModel,
        "is quantized already: \(quantized.count) of \(network.steps.count) operators have quantized tensors",
        expected: "a model of floats")
    }
    let problems = problems(network, activations)
    guard problems.isEmpty else {
      let rest = problems.count > shown ? "; and \(problems.count - shown) more" : ""
      throw ApusError(
        .unsupportedModel,
        "no \(activations.rawValue) form is known of \(problems.prefix(shown).joined(separator: "; "))\(rest)",
        advice:
          "Leave those in floats with \(Setting.kept), or narrow the weights of convolutions and linear layers alone with "
          + "\(Setting.target.given("f16"))."
      )
    }
    guard network.steps.contains(where: { !network.isKept($0) }) else {
      throw ApusError(.argument, "all operators are kept", expected: "some that become int8")
    }
    guard network.subgraph.inputs.contains(where: network.isActivation) else {
      throw ApusError(.unsupportedModel, "no input of float32", expected: "a model of float activations")
    }
  }

  private static func isQuantized(_ step: TFLiteOperator, _ network: FloatNetwork) -> Bool {
    (step.inputs.compactMap(\.self) + step.outputs).contains {
      network.subgraph.tensors[$0].quantization?.parameters != nil
    }
  }

  /// Operators of other kinds, by their names, and those whose weights are not as they must be.
  private static func problems(_ network: FloatNetwork, _ activations: ActivationType) -> [String] {
    var problems: [String] = []
    var kinds: [ExactText: Int] = [:]
    for step in network.steps {
      guard !network.isKept(step) else {
        if step.builtin == nil || step.builtin == .CUSTOM {
          problems.append("\(step.label), which is not written")
        }
        continue
      }
      if let rule = IntegerRule.of(step.builtin, activations) {
        if let problem = problem(step, rule, network) { problems.append("\(step.label): \(problem)") }
      } else {
        kinds[ExactText(step.code.name), default: 0] += 1
      }
    }
    return kinds.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value) of them)" } + problems
  }

  private static func problem(
    _ step: TFLiteOperator, _ rule: IntegerRule, _ network: FloatNetwork
  ) -> String? {
    guard case .weighted = rule.kind(.int8) else { return nil }
    guard step.inputs.count >= 2, let weights = step.inputs[1],
      network.constant(weights)?.dataType.isFloat == true
    else { return "its weights are no float constant" }
    if step.inputs.count > 2, let bias = step.inputs[2], network.constant(bias)?.dataType.isFloat != true {
      return "its bias is no float constant"
    }
    return nil
  }
}
