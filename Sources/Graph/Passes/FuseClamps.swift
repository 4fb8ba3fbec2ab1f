import TensorCore

extension GraphPasses {
  /// A rectification of what a float layer, convolution, sum or product gives, which nothing else reads, is done by that as
  /// it stores.
  static func fuseClamps(_ graph: inout Graph, _ options: CompileOptions) {
    graph.rewrite(from: { ($0 as? Relu)?.interval.fused != nil }) { matcher, result throws(ApusError) in
      guard let node = matcher.writer(of: result), let clamp = (node.operation as? Relu)?.interval.fused,
        case let value?? = node.inputs.first, let maker = matcher.writer(of: value),
        matcher.isVariable(result),
        matcher.readers(of: value).count == 1, !matcher.isOutput(value),
        let clamped = clamped(maker, clamp, matcher.graph)
      else { return nil }
      var patch = GraphPatch(matcher.graph, label: "\(maker.label) + \(node.label)")
      let made = try patch.add(clamped, maker.inputs)
      return try patch.replacing(result, by: made)
    }
  }

  /// The operation of a node with the clamp behind it; nil where it has another function there, or none.
  private static func clamped(
    _ node: Node, _ clamp: FusedActivation, _ graph: Graph
  ) -> (any Operation)? {
    switch node.operation {
    case let sum as Add where sum.activation == .none:
      Add(activation: clamp, potScaleInt16: sum.potScaleInt16)
    case let difference as Subtract where difference.activation == .none:
      Subtract(activation: clamp, potScaleInt16: difference.potScaleInt16)
    case let product as Multiply where product.activation == .none: Multiply(activation: clamp)
    case let linear as Linear where linear.activation == .none && clamp == .relu: linear.applying(.relu)
    case let linear as ByteLinear where linear.activation == .none && clamp == .relu: linear.applying(.relu)
    case let convolution as Convolution2D where convolution.function == .none:
      clamped(convolution, clamp, graph.operands(of: node))
    case let convolution as DepthwiseConvolution2D where convolution.function == .none:
      clamped(convolution, clamp, graph.operands(of: node))
    default: nil
    }
  }

  private static func clamped(
    _ convolution: some ImageConvolution, _ clamp: FusedActivation, _ operands: Operands
  ) -> (any Operation)? {
    guard convolution.attributes.activation == .none, convolution.hasFloatSums(operands) else { return nil }
    return convolution.with(\.activation, clamp)
  }
}

extension Relu.Interval {
  /// The interval as a function that other operations do behind their own.
  fileprivate var fused: FusedActivation? {
    switch self {
    case .relu: .relu
    case .relu6: .relu6
    case .reluN1To1: .reluN1To1
    case .relu0To1: nil
    }
  }
}
