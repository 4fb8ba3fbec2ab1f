import Formats
import TensorCore

/// Everything in a way into a model that Apus does not run, to be named at once.
struct TFLiteRefusals {
  /// Operators by name and reason, with their positions, in the order of their first occurrence.
  private var operators: [(name: String, reason: String, steps: [String])] = []
  private var places: [String: Int] = [:]
  private var tensors: [String] = []
  private let model: TFLiteModel

  init(of interface: TFLiteInterface, in model: TFLiteModel) {
    self.model = model
    let subgraph = model.subgraphs[interface.subgraph]
    collect(subgraph, place: "")
    var seen = Set<String>()
    tensors = tensors.filter { seen.insert($0).inserted }
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` when there is anything.
  func check() throws(ApusError) {
    guard !operators.isEmpty || !tensors.isEmpty else { return }
    var parts: [String] = []
    if !operators.isEmpty {
      parts.append("operators that Apus does not run: " + operators.map(Self.text).joined(separator: ", "))
    }
    if !tensors.isEmpty {
      parts.append("tensors that Apus does not compute with: " + tensors.joined(separator: ", "))
    }
    throw ApusError(
      .unsupportedModel, parts.joined(separator: "; "),
      advice: "Convert the model with feed-forward builtin operators only.")
  }

  private mutating func collect(_ subgraph: TFLiteSubgraph, place: String) {
    var used = Set(subgraph.inputs + subgraph.outputs)
    for step in subgraph.operators {
      if case .composite(_, let body, _) = step.options {
        collect(model.subgraphs[body], place: "\(place)\(step.index).")
      } else if let reason = Self.reason(step, in: subgraph) {
        note(step.code.customName.map { "custom '\($0)'" } ?? step.code.name, reason, "\(place)\(step.index)")
        continue
      }
      used.formUnion(step.inputs.compactMap(\.self) + step.outputs)
    }
    for index in used.sorted() {
      let tensor = subgraph.tensors[index]
      for obstacle in tensor.obstacles { tensors.append("\(tensor.label) (\(obstacle))") }
    }
  }

  private mutating func note(_ name: String, _ reason: String, _ step: String) {
    let key = "\(name)\u{0}\(reason)"
    if let place = places[key] {
      operators[place].steps.append(step)
    } else {
      places[key] = operators.count
      operators.append((name, reason, [step]))
    }
  }

  /// Why a step cannot run; nil when it can as far as its operator and options say.
  private static func reason(_ step: TFLiteOperator, in subgraph: TFLiteSubgraph) -> String? {
    if let name = step.code.customName {
      return name.hasPrefix("Flex") ? "an operator of TensorFlow itself" : "a custom operator"
    }
    guard let builtin = step.builtin else { return "unknown" }
    guard TFLiteOperators.table[builtin] != nil else { return builtin.obstacle }
    do throws(ApusError) {
      _ = try TFLiteOperators.operation(for: TFLiteStep(step, in: subgraph))
      return nil
    } catch {
      return error.kind == .unsupportedModel ? error.problem : nil
    }
  }

  private static func text(_ operators: (name: String, reason: String, steps: [String])) -> String {
    let shown = operators.steps.prefix(8).joined(separator: ", ")
    let rest = operators.steps.count > 8 ? " and \(operators.steps.count - 8) more" : ""
    let noun = operators.steps.count == 1 ? "operator" : "operators"
    return "\(operators.name) (\(noun) \(shown)\(rest): \(operators.reason))"
  }
}

extension TFLiteBuiltin {
  /// Why Apus does not run an operator that its table lacks.
  fileprivate var obstacle: String {
    switch self {
    case .LSTM, .RNN, .SVDF, .UNIDIRECTIONAL_SEQUENCE_LSTM, .UNIDIRECTIONAL_SEQUENCE_RNN,
      .BIDIRECTIONAL_SEQUENCE_LSTM, .BIDIRECTIONAL_SEQUENCE_RNN, .CALL_ONCE, .VAR_HANDLE, .READ_VARIABLE,
      .ASSIGN_VARIABLE:
      "keeps state between steps or runs"
    case .IF, .WHILE, .CALL, .STABLEHLO_WHILE, .STABLEHLO_CASE:
      "control flow"
    case .HASHTABLE, .HASHTABLE_FIND, .HASHTABLE_IMPORT, .HASHTABLE_SIZE, .HASHTABLE_LOOKUP, .LSH_PROJECTION,
      .SKIP_GRAM:
      "strings or tables of them"
    case .RFFT2D, .IMAG, .REAL, .COMPLEX_ABS:
      "complex numbers"
    case .RANDOM_STANDARD_NORMAL, .RANDOM_UNIFORM, .MULTINOMIAL, .STABLEHLO_RNG_BIT_GENERATOR:
      "random numbers"
    default:
      "not implemented"
    }
  }
}
