import Graph

/// A block that widens its input, filters each channel by itself, and narrows the result (Sandler et al. 2018,
/// "MobileNetV2: Inverted Residuals and Linear Bottlenecks").
struct InvertedResidual: Sendable {
  /// Nil for a block that does not widen.
  let expansion: ConvolutionUnit?
  let depthwise: ConvolutionUnit
  let projection: ConvolutionUnit
  /// Of the depthwise convolution.
  let stride: Int
  /// The side of the depthwise filters.
  var size = 3
  /// Behind all convolutions but the last.
  var activation = Activation.relu6
  /// Before the last convolution.
  var squeeze: SqueezeExcitation?
  /// Whether the input is added to a result of its shape.
  var addsInput = true
}
