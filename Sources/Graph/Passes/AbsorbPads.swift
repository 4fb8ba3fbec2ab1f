import TensorCore

extension GraphPasses {
  /// A pad of height and width by zeros whose only reader is a convolution without padding of its own becomes
  /// the convolution's padding, so that the padded image never exists.
  static func absorbPads(_ graph: inout Graph, _ options: CompileOptions) {
    let consumers = graph.consumers()
    for padIndex in graph.nodes.indices {
      let pad = graph.nodes[padIndex]
      guard pad.operation is Pad, pad.inputs.count == 2, let padded = pad.outputs.first,
        !graph.outputs.contains(padded), consumers[padded.index].count == 1,
        let padding = explicitPadding(pad, graph)
      else { continue }
      let reader = consumers[padded.index][0]
      guard graph.nodes[reader].inputs.first == padded,
        let convolution = graph.nodes[reader].operation as? any ImageConvolution,
        convolution.attributes.padding == .valid
      else { continue }
      graph.nodes[reader].operation = convolution.with(\.padding, padding)
      graph.nodes[reader].inputs[0] = pad.inputs[0]
    }
    removeDeadNodes(&graph, options)
  }

  /// The padding of an NHWC image that `pad` means; nil when it pads batch or channels.
  private static func explicitPadding(_ pad: Node, _ graph: Graph) -> Padding? {
    guard let amounts = pad.inputs[1].flatMap({ graph[$0].constant }), let pads = try? amounts.integers(),
      pads.count == 8, pads[0] == 0, pads[1] == 0, pads[6] == 0, pads[7] == 0,
      let input = pad.inputs[0], let output = pad.outputs.first,
      graph[input].type.quantization == graph[output].type.quantization
    else { return nil }
    return .explicit(top: pads[2], bottom: pads[3], left: pads[4], right: pads[5])
  }
}
