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
    let pixels = graph.input("pixel_values", TensorType(.float32, shape))
    let layers = NormalizedConvolutions(
      epsilon: layout.epsilon, padsLikeTensorFlow: layout.padsLikeTensorFlow, weights: weights)
    var x = try layers.convolution(pixels, layout.stem, size: 3, stride: 2, .relu6, in: &graph)
    for block in layout.blocks { x = try layers.invertedResidual(x, block, in: &graph) }
    x = try layers.convolution(x, layout.head, .relu6, in: &graph)
    x = try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: false), [x], at: "mean of the pixels")
    graph.output(try graph.linear(x, weights[layout.classifier], outputs: classCount))
    return graph.graph
  }
}
