import TensorCore

extension GraphPasses {
  /// Finds RMS normalization in float32, over the last axis: `x / √(mean of x² + ε) · scale`, without the scale too.
  static func recognizeRMSNormalization(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: RowRoot.isRoot) { matcher, root throws(ApusError) in
      guard let root = RowRoot(matcher, root), let x = squared(root, matcher) else { return nil }
      let results = root.results([x], from: x) { polynomial, root in
        Polynomial([[x: 1, root: 1]: polynomial.factor([x: 1, root: 1])])
      }
      guard let results else { return nil }
      var graph = matcher.graph
      for (result, polynomial, letter) in results {
        var patch = GraphPatch(graph, label: matcher.writer(of: result)?.label ?? "RMS normalization")
        let scale = try patch.constant("scale", polynomial.factor([x: 1, letter: 1], columns: root.columns))
        let made = try patch.add(RMSNormalization(epsilon: root.epsilon), [x, scale])
        graph = try patch.replacing(result, by: made)
      }
      return graph
    }
  }

  /// The rows whose squares a root is of.
  private static func squared(_ root: RowRoot, _ matcher: GraphMatcher) -> Value? {
    matcher.sources(of: root.numbers).dropFirst().first { x in
      var reader = root.reader([x])
      return matcher.shape(of: x).dimensions.last == root.columns
        && matcher.shape(of: x).elementCount == root.rows * root.columns
        && reader.polynomial(root.numbers)?.isClose(to: Polynomial(x) * Polynomial(x)) == true
    }
  }
}
