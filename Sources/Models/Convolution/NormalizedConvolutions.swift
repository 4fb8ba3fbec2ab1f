import Graph
import TensorCore

/// Convolutions with the batch normalisation behind each folded in, and blocks of them, as one call each.
struct NormalizedConvolutions {
  /// Added to the variances of the batch normalisations.
  let epsilon: Double
  /// Whether padding follows TensorFlow's rule, the odd row and column after the picture; else there is as much all round
  /// as keeps the extent of a picture.
  let padsLikeTensorFlow: Bool
  let weights: WeightPath

  /// As many filters as the file has.
  func convolution(
    _ x: Value, _ unit: ConvolutionUnit, size: Int = 1, stride: Int = 1, _ activation: Activation,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let filters = try FoldedConvolution(unit, inputs: graph.width(x), size: size, epsilon, weights)
    let operation = Convolution2D(
      padding: padding(size), strideY: stride, strideX: stride, activation: activation.clamp)
    let sums = try filters.apply(operation, to: x, in: &graph)
    return try graph.activate(sums, activation.function, at: "\(unit.convolution), activated")
  }

  /// A filter for each channel.
  func depthwise(
    _ x: Value, _ unit: ConvolutionUnit, size: Int, stride: Int, _ activation: Activation,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let filters = try FoldedConvolution(
      unit, inputs: 1, outputs: graph.width(x), size: size, order: .depthwise, epsilon, weights)
    let operation = DepthwiseConvolution2D(
      padding: padding(size), strideY: stride, strideX: stride, activation: activation.clamp)
    let sums = try filters.apply(operation, to: x, in: &graph)
    return try graph.activate(sums, activation.function, at: "\(unit.convolution), activated")
  }

  /// The block's result, and its input added where both are of one shape.
  func invertedResidual(
    _ input: Value, _ block: InvertedResidual, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var x = input
    if let expansion = block.expansion { x = try convolution(x, expansion, block.activation, in: &graph) }
    x = try depthwise(
      x, block.depthwise, size: block.size, stride: block.stride, block.activation, in: &graph)
    if let squeeze = block.squeeze { x = try squeeze.gated(x, weights, in: &graph) }
    x = try convolution(x, block.projection, .none, in: &graph)
    guard block.addsInput, block.stride == 1, graph.dimensions(x) == graph.dimensions(input) else { return x }
    return try graph.sum(x, input, at: "\(block.projection.convolution) + input")
  }

  private func padding(_ size: Int) -> Padding {
    if padsLikeTensorFlow { return .same }
    let side = size / 2
    return .explicit(top: side, bottom: side, left: side, right: side)
  }
}
