import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Sums of products over weights.
  static let convolution: [TFLiteBuiltin: Importer] = [
    .CONV_2D: convolution2D,
    .DEPTHWISE_CONV_2D: depthwiseConvolution2D,
    .TRANSPOSE_CONV: transposeConvolution2D,
    .FULLY_CONNECTED: fullyConnected,
    .BATCH_MATMUL: batchMatMul,
  ]

  /// Windows sliding over an image.
  static let pooling: [TFLiteBuiltin: Importer] = [
    .AVERAGE_POOL_2D: { step throws(ApusError) in try pool(.average, step) },
    .MAX_POOL_2D: { step throws(ApusError) in try pool(.max, step) },
    .L2_POOL_2D: { step throws(ApusError) in try pool(.l2, step) },
  ]

  private static func convolution2D(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .conv2D(let options) = step.options else { throw step.optionsMismatch }
    return Convolution2D(
      padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
      dilationY: options.dilation.height, dilationX: options.dilation.width,
      activation: FusedActivation(options.activation))
  }

  private static func depthwiseConvolution2D(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .depthwiseConv2D(let options) = step.options else { throw step.optionsMismatch }
    return DepthwiseConvolution2D(
      padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
      dilationY: options.dilation.height, dilationX: options.dilation.width,
      activation: FusedActivation(options.activation))
  }

  private static func transposeConvolution2D(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .transposeConv(let options) = step.options else { throw step.optionsMismatch }
    return TransposeConvolution2D(
      padding: Padding(options.padding), strideY: options.stride.height, strideX: options.stride.width,
      activation: FusedActivation(options.activation))
  }

  private static func fullyConnected(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .fullyConnected(let options) = step.options else { throw step.optionsMismatch }
    guard options.weightsFormat == .rowMajor else {
      throw ApusError(.unsupportedModel, "weights in a shuffled order")
    }
    return FullyConnected(
      activation: FusedActivation(options.activation), keepsDimensions: options.keepDimensions,
      asymmetricInputs: options.asymmetricQuantizeInputs)
  }

  private static func batchMatMul(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .batchMatMul(let options) = step.options else { throw step.optionsMismatch }
    return BatchMatMul(
      transposeA: options.adjointX, transposeB: options.adjointY,
      asymmetricQuantizeInputs: options.asymmetricQuantizeInputs)
  }

  private static func pool(_ kind: Pool2D.Kind, _ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .pool2D(let options) = step.options else { throw step.optionsMismatch }
    return Pool2D(
      kind, filterHeight: options.filter.height, filterWidth: options.filter.width,
      strideHeight: options.stride.height, strideWidth: options.stride.width,
      padding: Padding(options.padding), activation: FusedActivation(options.activation))
  }
}
