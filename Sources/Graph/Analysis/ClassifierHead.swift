/// The end of a classifier's graph: what its scores are made of.
package struct ClassifierHead: Sendable {
  /// What softmax makes the scores of, one for each; nil where the graph shows no softmax, or something chooses or
  /// changes its results.
  package private(set) var logits: Value?
  /// What the last layer of weights multiplies: the features by which classes are told apart. Nil where there is no
  /// such layer.
  package private(set) var features: Value?

  /// - Parameter output: the place of the scores among the graph's outputs.
  package init(of graph: Graph, output: Int = 0) {
    guard graph.outputs.indices.contains(output) else { return }
    var writers: [Value: Node] = [:]
    for node in graph.nodes {
      for result in node.outputs { writers[result] = node }
    }
    var current = graph.outputs[output]
    var hasScores = true
    while let node = writers[current], features == nil {
      let unknown = node.inputs.compactMap(\.self).filter { graph[$0].constant == nil }
      guard unknown.count == 1, let operand = unknown.first else { return }
      if node.operation is Softmax, hasScores { logits = operand }
      if case .sameNumbers = node.operation.resultMeaning {} else { hasScores = false }
      let types = node.outputs.map { graph[$0].type }
      if node.operation.multiplyAccumulates(graph.operands(of: node), results: types) > 0 {
        features = operand
      }
      current = operand
    }
  }
}
