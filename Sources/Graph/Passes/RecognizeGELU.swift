import TensorCore

extension GraphPasses {
  /// Finds x·Φ(x) where Φ is spelled with other functions, in float32:
  ///
  ///     x · (1 + tanh(√(2/π) · (x + 0.044715·x³))) / 2
  ///     x · (1 + erf(x / √2)) / 2
  ///     x · 1 / (1 + e^(−1.702·x))
  ///
  /// Source of all: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".
  static func recognizeGELU(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { gateForm(of: $0) != nil }) { matcher, gate throws(ApusError) in
      guard let node = matcher.writer(of: gate), case let argument?? = node.inputs.first,
        let form = gateForm(of: node.operation),
        let found = matcher.find(.gelu(form), gate: gate, argument: argument)
      else { return nil }
      return try matcher.replacing(found.result, by: Gelu(form), of: found.x)
    }
  }

  /// The form that an operation is the gate of; nil of any other.
  private static func gateForm(of operation: any Operation) -> GeluForm? {
    switch operation {
    case is Tanh: .tanh
    case is Logistic: .sigmoid
    case let function as UnaryMath where function.function == .erf: .exact
    default: nil
    }
  }
}

extension Gate {
  fileprivate static func gelu(_ form: GeluForm) -> Gate {
    switch form {
    case .exact: geluExact
    case .tanh: geluTanh
    case .sigmoid: geluSigmoid
    }
  }

  private static let geluExact = Gate(
    argument: { Polynomial([[$0: 1]: [0.707_106_77]]) },
    product: { Polynomial([[$0: 1]: [0.5], [$0: 1, $1: 1]: [0.5]]) })

  private static let geluTanh = Gate(
    argument: { Polynomial([[$0: 1]: [0.797_884_56], [$0: 3]: [0.797_884_56 * 0.044_715]]) },
    product: { Polynomial([[$0: 1]: [0.5], [$0: 1, $1: 1]: [0.5]]) })

  private static let geluSigmoid = Gate(
    argument: { Polynomial([[$0: 1]: [1.702]]) }, product: { Polynomial([[$0: 1, $1: 1]: [1]]) })
}
