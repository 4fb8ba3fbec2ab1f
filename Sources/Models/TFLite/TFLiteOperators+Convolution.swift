import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Sums of products over weights.
  static let convolution: [TFLiteOperatorDescriptor] = [
    .reading(.CONV_2D, halfPrecisionOperand: 1) { (options: Conv2DOptions) throws(ApusError) in
      Convolution2D(
        padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
        dilationY: options.dilation.height, dilationX: options.dilation.width,
        activation: try Activation(options.activation))
    },
    .reading(.DEPTHWISE_CONV_2D, halfPrecisionOperand: 1) {
      (options: DepthwiseConv2DOptions) throws(ApusError) in
      DepthwiseConvolution2D(
        padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
        dilationY: options.dilation.height, dilationX: options.dilation.width,
        activation: try Activation(options.activation))
    },
    .reading(.TRANSPOSE_CONV, halfPrecisionOperand: 1) { (options: TransposeConvOptions) throws(ApusError) in
      TransposeConvolution2D(
        padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
        activation: try Activation(options.activation))
    },
    .reading(.FULLY_CONNECTED, halfPrecisionOperand: 1) {
      (options: FullyConnectedOptions) throws(ApusError) in
      guard options.weightsFormat == .rowMajor else {
        throw ApusError(.unsupportedModel, "weights in a shuffled order")
      }
      return FullyConnected(
        activation: try Activation(options.activation), keepsDimensions: options.keepDimensions,
        asymmetricInputs: options.asymmetricQuantizeInputs)
    },
    .reading(.BATCH_MATMUL) { (options: BatchMatMulOptions) in
      BatchMatMul(
        transposeA: options.adjointX, transposeB: options.adjointY,
        asymmetricQuantizeInputs: options.asymmetricQuantizeInputs)
    },
  ]

  /// Windows sliding over an image.
  static let pooling: [TFLiteOperatorDescriptor] = [
    .reading(.AVERAGE_POOL_2D) { (options: Pool2DOptions) throws(ApusError) in try pool(.average, options) },
    .reading(.MAX_POOL_2D) { (options: Pool2DOptions) throws(ApusError) in try pool(.max, options) },
    .reading(.L2_POOL_2D) { (options: Pool2DOptions) throws(ApusError) in try pool(.l2, options) },
  ]

  private static func pool(_ kind: Pool2D.Kind, _ options: Pool2DOptions) throws(ApusError) -> Pool2D {
    Pool2D(
      kind, filterHeight: options.filter.height, filterWidth: options.filter.width,
      strideHeight: options.stride.height, strideWidth: options.stride.width,
      padding: Padding(options.padding), activation: try Activation(options.activation))
  }
}
