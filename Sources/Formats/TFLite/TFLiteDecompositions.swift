import TensorCore

/// Composite operators stand for subgraphs. Putting these in their place must end, and must not blow up.
enum TFLiteDecompositions {
  /// Operators of a subgraph and tensors they name once every composite is replaced, at most.
  static let maximumSize = 1 << 20

  /// - Throws: ``ApusError`` when a composite names no subgraph, names itself through others, or stands for more
  ///   than ``maximumSize`` operators and tensors.
  static func verify(_ subgraphs: [TFLiteSubgraph]) throws(ApusError) {
    var sizes = [Int?](repeating: nil, count: subgraphs.count)
    for subgraph in subgraphs { try measure(subgraph.index, subgraphs, &sizes, depth: 0) }
  }

  /// Finds how many operators and named tensors a subgraph has once its composites are replaced.
  private static func measure(
    _ index: Int, _ subgraphs: [TFLiteSubgraph], _ sizes: inout [Int?], depth: Int
  ) throws(ApusError) {
    guard sizes[index] == nil else { return }
    var total = subgraphs[index].operators.reduce(0) { $0 + 1 + $1.inputs.count + $1.outputs.count }
    for step in subgraphs[index].operators {
      guard let composite = step.options as? CompositeOptions else { continue }
      let body = composite.decomposition
      let place = "\(step.label) '\(composite.name.clipped)'"
      guard subgraphs.indices.contains(body) else {
        throw ApusError(
          .malformedModel, "it stands for subgraph \(body)",
          expected: "one of the \(subgraphs.count) subgraphs",
          at: place)
      }
      guard depth < FlatBuffer.maximumDepth else {
        throw ApusError(
          .malformedModel, "composites more than \(FlatBuffer.maximumDepth) deep, or without an end",
          at: place)
      }
      try measure(body, subgraphs, &sizes, depth: depth + 1)
      total += sizes[body] ?? 0
      guard total <= maximumSize else {
        throw ApusError(
          .malformedModel, "composites stand for more than \(maximumSize) operators and operands", at: place)
      }
    }
    sizes[index] = total
  }
}
