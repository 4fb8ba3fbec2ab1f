import TensorCore

extension GraphPasses {
  /// Finds layer normalization in float32, over the last axis:
  ///
  ///     (x − μ) / √(mean of (x − μ)² + ε) · scale + offset,  μ the mean of x
  ///
  /// Converters multiply it out, as `x·r·scale + (offset − μ·r·scale)` or `(x·r − μ·r)·scale + offset` where r is one
  /// over the root. Whatever is that polynomial in x, μ and r is found, without scale or offset too.
  static func recognizeLayerNormalization(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: RowRoot.isRoot) { matcher, root throws(ApusError) in
      guard let root = RowRoot(matcher, root), let (x, mean) = centred(root, matcher) else { return nil }
      let results = root.results([x, mean], from: x) { polynomial, root in
        let (scale, offset) = affine(polynomial, x, root, columns: nil)
        let product = Polynomial([[x: 1, root: 1]: scale])
        return product - Polynomial([[mean: 1, root: 1]: scale]) + Polynomial(constant: offset)
      }
      guard let results else { return nil }
      var graph = matcher.graph
      for (result, polynomial, letter) in results {
        let (scale, offset) = affine(polynomial, x, letter, columns: root.columns)
        var patch = GraphPatch(graph, label: matcher.writer(of: result)?.label ?? "layer normalization")
        let operands = [x, try patch.constant("scale", scale), try patch.constant("offset", offset)]
        let made = try patch.add(LayerNormalization(epsilon: root.epsilon), operands)
        graph = try patch.replacing(result, by: made)
      }
      return graph
    }
  }

  /// The rows whose variance a root is of, and their mean.
  private static func centred(_ root: RowRoot, _ matcher: GraphMatcher) -> (x: Value, mean: Value)? {
    for mean in matcher.sources(of: root.numbers) {
      guard let row = matcher.rowMean(mean), row.rows == root.rows, row.columns == root.columns else {
        continue
      }
      let x = row.numbers
      var reader = root.reader([x, mean])
      let difference = Polynomial(x) - Polynomial(mean)
      if reader.polynomial(root.numbers)?.isClose(to: difference * difference) == true { return (x, mean) }
    }
    return nil
  }

  private static func affine(
    _ polynomial: Polynomial, _ x: Value, _ root: Value, columns: Int?
  ) -> (scale: [Float], offset: [Float]) {
    (polynomial.factor([x: 1, root: 1], columns: columns), polynomial.factor([:], columns: columns))
  }
}
