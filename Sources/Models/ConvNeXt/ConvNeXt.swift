import Graph
import TensorCore

/// ConvNeXt, a convolutional classifier of pictures built like a transformer (Liu et al. 2022).
struct ConvNeXt: ImageTower {
  let configuration: ConvNeXtConfiguration
  let weights: WeightPath

  var imageSize: ImageSize { configuration.image }
  var takesAnyImageSize: Bool { true }
  var channels: Int { configuration.channels }
  var outputWidth: Int { configuration.classes.count }

  /// The ε of all layer normalisations but the last.
  private static let epsilon: Float = 1e-6

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let shape = try Shape([batch, imageSize.height, imageSize.width, channels])
    var x = graph.input("pixel_values", TensorType(.float32, shape))
    let weights = weights["convnext"]
    for (index, stage) in configuration.stages.enumerated() {
      let layers = weights["encoder.stages"][index]
      if index == 0 {
        let embeddings = weights["embeddings"]
        x = try patches(
          x, embeddings["patch_embeddings"], size: configuration.patch, outputs: stage.width, in: &graph)
        x = try graph.layerNorm(x, embeddings["layernorm"], epsilon: Self.epsilon)
      } else {
        let downsampling = layers["downsampling_layer"]
        x = try graph.layerNorm(x, downsampling[0], epsilon: Self.epsilon)
        x = try patches(x, downsampling[1], size: 2, outputs: stage.width, in: &graph)
      }
      for block in 0..<stage.blocks { x = try self.block(x, layers["layers"][block], in: &graph) }
    }
    x = try graph.apply(Reduce(.mean, axes: [1, 2], keepDimensions: false), [x], at: "mean of the pixels")
    x = try graph.layerNorm(x, weights["layernorm"], epsilon: configuration.epsilon)
    graph.output(try graph.linear(x, self.weights["classifier"], outputs: outputWidth))
    return graph.graph
  }

  /// Each channel filtered by itself, then two linear layers over the channels of each pixel, added to the input.
  private func block(
    _ input: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let width = graph.width(input)
    var x = try depthwise(input, weights["dwconv"], in: &graph)
    x = try graph.layerNorm(x, weights["layernorm"], epsilon: Self.epsilon)
    x = try graph.linear(
      x, weights["pwconv1"], outputs: 4 * width, activation: configuration.activation)
    x = try graph.linear(x, weights["pwconv2"], outputs: width)
    if configuration.scalesBlocks {
      let scale = try graph.float32(weights, "layer_scale_parameter", [width])
      x = try graph.apply(Multiply(), [x, scale], at: weights.key("scaled"))
    }
    return try graph.sum(x, input, at: weights.key("sum"))
  }

  /// A convolution that steps from one square of pixels to the next.
  private func patches(
    _ x: Value, _ weights: WeightPath, size: Int, outputs: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let stored = try graph.float32(weights, "weight", [outputs, graph.width(x), size, size])
    let filters = try graph.transpose(stored, [0, 2, 3, 1], at: weights.key("filters"))
    let bias = try graph.float32(weights, "bias", [outputs])
    let convolution = Convolution2D(padding: .valid, strideY: size, strideX: size)
    return try graph.apply(convolution, [x, filters, bias], at: weights.prefix)
  }

  /// 7 × 7 filters, one for each channel, with zeros all round.
  private func depthwise(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let width = graph.width(x)
    let stored = try graph.float32(weights, "weight", [width, 1, 7, 7])
    let filters = try graph.transpose(stored, [1, 2, 3, 0], at: weights.key("filters"))
    let bias = try graph.float32(weights, "bias", [width])
    let convolution = DepthwiseConvolution2D(
      padding: .explicit(top: 3, bottom: 3, left: 3, right: 3), strideY: 1, strideX: 1)
    return try graph.apply(convolution, [x, filters, bias], at: weights.prefix)
  }
}

extension HuggingFaceArchitecture {
  static let convNeXt = [
    HuggingFaceArchitecture("ConvNextForImageClassification", "convnext", "ConvNeXt", .imageClassification) {
      (reader, imageSize) throws(ApusError) in
      let configuration = try ConvNeXtConfiguration(reader, imageSize: imageSize)
      return { (weights, _) in
        ModelArchitecture(
          image: ConvNeXt(configuration: configuration, weights: weights),
          outputs: configuration.classes.outputs)
      }
    }
  ]
}
