import Graph
import TensorCore

/// ResNet, a convolutional classifier of pictures (He et al. 2016, "Deep Residual Learning for Image Recognition").
struct ResNet: ImageTower {
  let layout: ResNetLayout
  let imageSize: ImageSize
  let channels: Int
  let classCount: Int
  let weights: WeightPath

  var takesAnyImageSize: Bool { true }
  var outputWidth: Int { classCount }

  /// Added to the variances of the batch normalisations.
  private static let epsilon = 1e-5

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let shape = try Shape([batch, imageSize.height, imageSize.width, channels])
    var x = graph.input("pixel_values", TensorType(.float32, shape))
    for layer in layout.stem { x = try convolution(x, layer, layout.activation, in: &graph) }
    let pool = Pool2D(
      .max, filterHeight: 3, filterWidth: 3, strideHeight: 2, strideWidth: 2,
      padding: .explicit(top: 1, bottom: 1, left: 1, right: 1))
    x = try graph.apply(pool, [x], at: "maximum behind the stem")
    for block in layout.blocks { x = try residual(x, block, in: &graph) }
    x = try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: false), [x], at: "mean of the pixels")
    graph.output(try graph.linear(x, weights[layout.classifier], outputs: classCount))
    return graph.graph
  }

  /// A block's layers and its shortcut, added and activated.
  private func residual(
    _ input: Value, _ block: ResNetLayout.Block, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let shortcut = try shortcut(input, block.shortcut, in: &graph)
    var x = input
    for layer in block.inner { x = try convolution(x, layer, .relu, in: &graph) }
    var last = block.last
    // Another width would be broadcast.
    last.width = graph.width(shortcut)
    x = try convolution(x, last, .none, in: &graph)
    let place = "\(last.unit.convolution) + shortcut"
    guard layout.activation != .relu else {
      return try graph.apply(Add(activation: .relu), [x, shortcut], at: place)
    }
    return try graph.activate(graph.sum(x, shortcut, at: place), layout.activation, at: "\(place), activated")
  }

  private func shortcut(
    _ input: Value, _ shortcut: ResNetLayout.Shortcut, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    switch shortcut {
    case .input: return input
    case .projection(let layer): return try convolution(input, layer, .none, in: &graph)
    case .meanProjection(let layer):
      let pool = Pool2D(
        .average, filterHeight: 2, filterWidth: 2, strideHeight: 2, strideWidth: 2, padding: .same)
      let means = try graph.apply(pool, [input], at: "\(layer.unit.convolution) means")
      return try convolution(means, layer, .none, in: &graph)
    }
  }

  private func convolution(
    _ x: Value, _ layer: ResNetLayout.Layer, _ activation: Activation, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let filters = try FoldedConvolution(
      layer.unit, inputs: graph.width(x), outputs: layer.width, size: layer.size, Self.epsilon, weights)
    let side = layer.size / 2
    let operation = Convolution2D(
      padding: .explicit(top: side, bottom: side, left: side, right: side), strideY: layer.stride,
      strideX: layer.stride, activation: activation == .relu ? .relu : .none)
    let sums = try filters.apply(operation, to: x, in: &graph)
    guard activation != .relu else { return sums }
    return try graph.activate(sums, activation, at: "\(layer.unit.convolution), activated")
  }
}
