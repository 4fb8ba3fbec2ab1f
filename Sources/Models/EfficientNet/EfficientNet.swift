import Graph
import TensorCore

/// EfficientNet (Tan and Le 2019) or MobileNetV3 (Howard et al. 2019), classifiers of pictures; the weights' shapes decide
/// how wide they are.
struct EfficientNet: ImageTower {
  let layout: EfficientNetLayout
  let imageSize: ImageSize
  let classCount: Int
  let weights: WeightPath

  var takesAnyImageSize: Bool { true }
  var channels: Int { 3 }
  var outputWidth: Int { classCount }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let shape = try Shape([batch, imageSize.height, imageSize.width, channels])
    let pixels = graph.input("pixel_values", TensorType(.float32, shape))
    let layers = NormalizedConvolutions(
      epsilon: layout.epsilon, padsLikeTensorFlow: layout.padsLikeTensorFlow, weights: weights)
    var x = try layers.convolution(pixels, layout.stem, size: 3, stride: 2, layout.activation, in: &graph)
    for block in layout.blocks { x = try layers.invertedResidual(x, block, in: &graph) }
    for layer in layout.lastLayers { x = try layers.convolution(x, layer, layout.activation, in: &graph) }
    x = try features(x, layers, in: &graph)
    graph.output(try graph.linear(x, weights[layout.classifier], outputs: classCount))
    return graph.graph
  }

  /// What the classifier takes: [pictures, width].
  private func features(
    _ x: Value, _ layers: NormalizedConvolutions, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let place = "mean of the pixels"
    switch layout.head {
    case .layerBeforeMean(let unit):
      let wide = try layers.convolution(x, unit, layout.activation, in: &graph)
      return try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: false), [wide], at: place)
    case .layerBehindMean(let name):
      let mean = try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: true), [x], at: place)
      let wide = try graph.pointwise(mean, weights[name], layout.activation)
      return try graph.reshape(wide, [-1, graph.width(wide)], at: "\(name) rows")
    }
  }
}
