import Graph
import TensorCore

/// MobileNetV2 (Sandler et al. 2018), a classifier of pictures; the weights' shapes decide how wide it is.
struct MobileNetV2: ImageTower {
  let layout: MobileNetV2Layout
  let imageSize: ImageSize
  let classCount: Int
  let weights: WeightPath

  var channels: Int { 3 }
  var outputWidth: Int { classCount }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let shape = try Shape([batch, imageSize.height, imageSize.width, channels])
    var x = graph.input("pixel_values", TensorType(.float32, shape))
    x = try convolution(x, layout.stem, size: 3, stride: 2, in: &graph)
    for block in layout.blocks { x = try invertedResidual(x, block, in: &graph) }
    x = try convolution(x, layout.head, in: &graph)
    x = try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: false), [x], at: "mean of the pixels")
    graph.output(try graph.linear(x, weights[layout.classifier], outputs: classCount))
    return graph.graph
  }

  /// The block's result, and its input added where both are of one shape.
  private func invertedResidual(
    _ input: Value, _ block: MobileNetV2Layout.Block, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var x = input
    if let expansion = block.expansion { x = try convolution(x, expansion, in: &graph) }
    x = try depthwise(x, block.depthwise, stride: block.stride, in: &graph)
    x = try convolution(x, block.projection, activation: .none, in: &graph)
    guard block.addsInput, block.stride == 1, graph.dimensions(x) == graph.dimensions(input) else { return x }
    return try graph.sum(x, input, at: "\(block.projection.convolution) + input")
  }

  private func convolution(
    _ x: Value, _ unit: MobileNetV2Layout.Unit, size: Int = 1, stride: Int = 1,
    activation: FusedActivation = .relu6, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let filters = try FoldedConvolution(unit, inputs: graph.width(x), size: size, layout.epsilon, weights)
    let operation = Convolution2D(
      padding: padding(size), strideY: stride, strideX: stride, activation: activation)
    return try filters.apply(operation, to: x, order: [0, 2, 3, 1], in: &graph)
  }

  private func depthwise(
    _ x: Value, _ unit: MobileNetV2Layout.Unit, stride: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let filters = try FoldedConvolution(
      unit, inputs: 1, outputs: graph.width(x), size: 3, layout.epsilon, weights)
    let operation = DepthwiseConvolution2D(
      padding: padding(3), strideY: stride, strideX: stride, activation: .relu6)
    return try filters.apply(operation, to: x, order: [1, 2, 3, 0], in: &graph)
  }

  private func padding(_ size: Int) -> Padding {
    if layout.padsLikeTensorFlow { return .same }
    let side = size / 2
    return .explicit(top: side, bottom: side, left: side, right: side)
  }
}
