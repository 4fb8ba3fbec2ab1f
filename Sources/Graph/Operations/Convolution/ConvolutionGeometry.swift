import TensorCore

/// The sizes of a 2-D convolution over NHWC images, all consistent.
package struct ConvolutionGeometry: Sendable {
  package let batch: Int
  package let vertical: SpatialWindow
  package let horizontal: SpatialWindow
  package let inputChannels: Int
  package let outputChannels: Int
  /// Groups of channels that do not mix.
  package let groups: Int

  package var inputHeight: Int { vertical.inputSize }
  package var inputWidth: Int { horizontal.inputSize }
  package var outputHeight: Int { vertical.outputSize }
  package var outputWidth: Int { horizontal.outputSize }
  /// Output pixels of one image.
  package var outputPixels: Int { outputHeight * outputWidth }
  package var taps: Int { vertical.filterSize * horizontal.filterSize }
  package var channelsPerGroup: Int { inputChannels / groups }
  package var filtersPerGroup: Int { outputChannels / groups }
  /// Elements of the patch under one output pixel, of one group.
  package var depth: Int { taps * channelsPerGroup }

  /// Whether every patch is just a pixel, so that the input is the product's left operand as it is.
  package var isPointwise: Bool {
    taps == 1 && groups == 1 && vertical.stride == 1 && horizontal.stride == 1 && vertical.padBefore == 0
      && horizontal.padBefore == 0 && vertical.padAfter == 0 && horizontal.padAfter == 0
  }

  package var outputShape: [Int] { [batch, outputHeight, outputWidth, outputChannels] }

  /// The weights' spatial extent is at dimensions 1 and 2.
  /// - Parameters:
  ///   - channels: of the weights' filters, and the number of filters.
  /// - Throws: ``ApusError`` when ranks, channels or windows do not fit.
  package init(
    input: Shape, weights: Shape, _ attributes: ConvolutionAttributes,
    groups: (Shape, Shape) throws(ApusError) -> (groups: Int, outputChannels: Int)
  ) throws(ApusError) {
    for (what, shape) in [("input", input), ("weights", weights)] where shape.rank != 4 {
      throw ApusError(.malformedModel, "\(what) of shape \(shape)", expected: "4 dimensions")
    }
    vertical = try SpatialWindow(
      inputSize: input[1], filterSize: weights[1], stride: attributes.strideY,
      dilation: attributes.dilationY, padding: attributes.padding, axis: .height)
    horizontal = try SpatialWindow(
      inputSize: input[2], filterSize: weights[2], stride: attributes.strideX,
      dilation: attributes.dilationX, padding: attributes.padding, axis: .width)
    batch = input[0]
    inputChannels = input[3]
    (self.groups, outputChannels) = try groups(input, weights)
  }

  package func multiplyAccumulates() -> Int {
    [batch, outputHeight, outputWidth, depth, outputChannels].saturatingProduct
  }
}
