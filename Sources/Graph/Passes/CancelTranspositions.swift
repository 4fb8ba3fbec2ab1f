import TensorCore

extension GraphPasses {
  /// Transpositions and reshapes that together leave every element in its place are one reshape: an image that is brought
  /// from NHWC to NCHW and back, or that becomes NCHW, a row of pixels for each channel, and then a row of channels for
  /// each pixel. Elements of any type; nothing is computed.
  static func cancelTranspositions(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { $0 is Transpose }) { matcher, result throws(ApusError) in
      guard let view = matcher.views(of: result).first(where: \.isDense), view.base != result,
        matcher.shape(of: view.base).elementCount == matcher.shape(of: result).elementCount
      else { return nil }
      var patch = GraphPatch(matcher.graph, label: matcher.writer(of: result)?.label ?? "transpose")
      let reshaped = try patch.add(Reshape(shape: matcher.shape(of: result).dimensions), [view.base])
      return try patch.replacing(result, by: reshaped)
    }
  }
}
