import TensorCore

extension TFLiteOptionTables {
  static let convolution: [any TFLiteOptionDescription.Type] = [
    Conv2DOptions.self, DepthwiseConv2DOptions.self, TransposeConvOptions.self, Pool2DOptions.self,
    FullyConnectedOptions.self, BatchMatMulOptions.self,
  ]
}

package struct Conv2DOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("Conv2DOptions", 1, .CONV_2D)]

  package var padding = TFLitePadding.same
  package var stride = TFLiteExtent()
  package var dilation = TFLiteExtent()
  package var activation = TFLiteActivation.none
  /// The type of bias and sums in quantized form; `float32` when not set.
  package var quantizedBiasType = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.choice(0, "padding", &padding)
    try fields.extent(height: (2, "stride_h"), width: (1, "stride_w"), &stride)
    try fields.activation(3, &activation)
    try fields.extent(
      height: (5, "dilation_h_factor"), width: (4, "dilation_w_factor"), &dilation, default: 1)
    try fields.elementType(6, "quantized_bias_type", &quantizedBiasType)
  }
}

package struct DepthwiseConv2DOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("DepthwiseConv2DOptions", 2, .DEPTHWISE_CONV_2D)]

  package var padding = TFLitePadding.same
  package var stride = TFLiteExtent()
  package var dilation = TFLiteExtent()
  package var activation = TFLiteActivation.none
  /// Redundant: the shapes give it, and files exist where this is wrong.
  package var depthMultiplier = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.choice(0, "padding", &padding)
    try fields.extent(height: (2, "stride_h"), width: (1, "stride_w"), &stride)
    try fields.integer(3, "depth_multiplier", &depthMultiplier)
    try fields.activation(4, &activation)
    try fields.extent(
      height: (6, "dilation_h_factor"), width: (5, "dilation_w_factor"), &dilation, default: 1)
  }
}

package struct TransposeConvOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("TransposeConvOptions", 49, .TRANSPOSE_CONV)]

  package var padding = TFLitePadding.same
  package var stride = TFLiteExtent()
  package var activation = TFLiteActivation.none
  /// The type of bias and sums in quantized form; `float32` when not set.
  package var quantizedBiasType = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.choice(0, "padding", &padding)
    try fields.extent(height: (2, "stride_h"), width: (1, "stride_w"), &stride)
    try fields.activation(3, &activation)
    try fields.elementType(4, "quantized_bias_type", &quantizedBiasType)
  }
}

package struct Pool2DOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("Pool2DOptions", 5, .AVERAGE_POOL_2D, .MAX_POOL_2D, .L2_POOL_2D)]

  package var padding = TFLitePadding.same
  package var stride = TFLiteExtent()
  package var filter = TFLiteExtent()
  package var activation = TFLiteActivation.none

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.choice(0, "padding", &padding)
    try fields.extent(height: (2, "stride_h"), width: (1, "stride_w"), &stride)
    try fields.extent(height: (4, "filter_height"), width: (3, "filter_width"), &filter)
    try fields.activation(5, &activation)
  }
}

package struct FullyConnectedOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("FullyConnectedOptions", 8, .FULLY_CONNECTED)]

  package var activation = TFLiteActivation.none
  package var weightsFormat = TFLiteWeightsFormat.rowMajor
  /// Whether the output keeps all dimensions of the input but the last.
  package var keepDimensions = false
  /// Whether inputs of a hybrid operator get a zero point.
  package var asymmetricQuantizeInputs = false
  /// The type of bias and sums in quantized form; `float32` when not set.
  package var quantizedBiasType = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.activation(0, &activation)
    try fields.choice(1, "weights_format", &weightsFormat)
    try fields.flag(2, "keep_num_dims", &keepDimensions)
    try fields.flag(3, "asymmetric_quantize_inputs", &asymmetricQuantizeInputs)
    try fields.elementType(4, "quantized_bias_type", &quantizedBiasType)
  }
}

package struct BatchMatMulOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("BatchMatMulOptions", 101, .BATCH_MATMUL)]

  /// Whether the left matrices are given transposed.
  package var adjointX = false
  /// Whether the right matrices are given transposed.
  package var adjointY = false
  /// Whether inputs of a hybrid operator get a zero point.
  package var asymmetricQuantizeInputs = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(0, "adj_x", &adjointX)
    try fields.flag(1, "adj_y", &adjointY)
    try fields.flag(2, "asymmetric_quantize_inputs", &asymmetricQuantizeInputs)
  }
}
