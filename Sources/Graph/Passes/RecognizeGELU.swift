import TensorCore

extension GraphPasses {
  /// Finds x·Φ(x) where Φ is spelled with other functions, in float32:
  ///
  ///     x · (1 + tanh(√(2/π) · (x + 0.044715·x³))) / 2
  ///     x · 1 / (1 + e^(−1.702·x))
  ///
  /// Source of both: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".
  static func recognizeGELU(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Tanh || $0 is Logistic }) { matcher, gate throws(ApusError) in
      guard let node = matcher.writer(of: gate), case let argument?? = node.inputs.first else { return nil }
      let isTanh = node.operation is Tanh
      guard let found = matcher.find(isTanh ? .geluTanh : .geluSigmoid, gate: gate, argument: argument) else {
        return nil
      }
      return try matcher.replacing(found.result, by: Gelu(isTanh ? .tanh : .sigmoid), of: found.x)
    }
  }
}

extension Gate {
  fileprivate static let geluTanh = Gate(
    argument: { Polynomial([[$0: 1]: [0.797_884_56], [$0: 3]: [0.797_884_56 * 0.044_715]]) },
    product: { Polynomial([[$0: 1]: [0.5], [$0: 1, $1: 1]: [0.5]]) })

  fileprivate static let geluSigmoid = Gate(
    argument: { Polynomial([[$0: 1]: [1.702]]) }, product: { Polynomial([[$0: 1, $1: 1]: [1]]) })
}
