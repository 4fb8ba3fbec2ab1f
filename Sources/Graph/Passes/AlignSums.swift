import TensorCore

extension GraphPasses {
  /// A float linear layer whose result is added to a tensor of as many numbers under another shape, such as [1, T, C] to
  /// [T, C], gives its result the sum's shape itself, so that ``fuseResiduals(_:_:)`` finds two of one shape.
  static func alignSums(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Add }) { matcher, sum throws(ApusError) in
      guard let node = matcher.writer(of: sum), node.inputs.count == 2, matcher.isVariable(sum),
        let operands = [node.inputs[0], node.inputs[1]] as? [Value]
      else { return nil }
      let shape = matcher.shape(of: sum)
      for (index, value) in operands.enumerated() where matcher.shape(of: value) != shape {
        guard matcher.shape(of: value).elementCount == shape.elementCount,
          let layer = matcher.writer(of: value),
          let fullyConnected = layer.operation as? FullyConnected, let x = layer.inputs[0],
          fullyConnected.linear(matcher.graph.operands(of: layer)) != nil,
          matcher.shape(of: operands[1 - index]) == shape,
          matcher.readers(of: value).count == 1, !matcher.isOutput(value)
        else { continue }
        var patch = GraphPatch(matcher.graph, label: layer.label)
        let depth = matcher.shape(of: x).dimensions.suffix(1)
        var inputs = layer.inputs
        inputs[0] = try patch.reshaped(x, Shape(shape.dimensions.dropLast() + depth))
        let sums = try patch.add(FullyConnected(keepsDimensions: true), inputs)
        let aligned = index == 0 ? [sums, operands[1]] : [operands[0], sums]
        let made = try patch.add(node.operation, aligned)
        return try patch.replacing(sum, by: made)
      }
      return nil
    }
  }
}
