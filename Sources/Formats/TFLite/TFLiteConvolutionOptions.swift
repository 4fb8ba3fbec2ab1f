import TensorCore

extension TFLiteOptions.Conv2D {
  init(_ table: FlatBufferTable) throws(ApusError) {
    padding = try table.choice(0, "padding")
    stride = try table.extent(height: (2, "stride_h"), width: (1, "stride_w"))
    activation = try table.activation(3)
    dilation = try table.extent(height: (5, "dilation_h_factor"), width: (4, "dilation_w_factor"), default: 1)
    quantizedBiasType = try TFLiteTensorType(table, 6, "quantized_bias_type")
  }
}

extension TFLiteOptions.DepthwiseConv2D {
  init(_ table: FlatBufferTable) throws(ApusError) {
    padding = try table.choice(0, "padding")
    stride = try table.extent(height: (2, "stride_h"), width: (1, "stride_w"))
    depthMultiplier = try table.int(3, "depth_multiplier")
    activation = try table.activation(4)
    dilation = try table.extent(height: (6, "dilation_h_factor"), width: (5, "dilation_w_factor"), default: 1)
  }
}

extension TFLiteOptions.TransposeConv {
  init(_ table: FlatBufferTable) throws(ApusError) {
    padding = try table.choice(0, "padding")
    stride = try table.extent(height: (2, "stride_h"), width: (1, "stride_w"))
    activation = try table.activation(3)
    quantizedBiasType = try TFLiteTensorType(table, 4, "quantized_bias_type")
  }
}

extension TFLiteOptions.Pool2D {
  init(_ table: FlatBufferTable) throws(ApusError) {
    padding = try table.choice(0, "padding")
    stride = try table.extent(height: (2, "stride_h"), width: (1, "stride_w"))
    filter = try table.extent(height: (4, "filter_height"), width: (3, "filter_width"))
    activation = try table.activation(5)
  }
}

extension TFLiteOptions.FullyConnected {
  init(_ table: FlatBufferTable) throws(ApusError) {
    activation = try table.activation(0)
    weightsFormat = try table.choice(1, "weights_format")
    keepDimensions = try table.bool(2, "keep_num_dims")
    asymmetricQuantizeInputs = try table.bool(3, "asymmetric_quantize_inputs")
    quantizedBiasType = try TFLiteTensorType(table, 4, "quantized_bias_type")
  }
}

extension TFLiteOptions.StridedSlice {
  init(_ table: FlatBufferTable) throws(ApusError) {
    beginMask = try table.int(0, "begin_mask")
    endMask = try table.int(1, "end_mask")
    ellipsisMask = try table.int(2, "ellipsis_mask")
    newAxisMask = try table.int(3, "new_axis_mask")
    shrinkAxisMask = try table.int(4, "shrink_axis_mask")
    endIsOffset = try table.bool(5, "offset")
  }
}

extension FlatBufferTable {
  /// The fused activation function at a slot.
  func activation(_ slot: Int) throws(ApusError) -> TFLiteActivation {
    try choice(slot, "fused_activation_function")
  }

  /// A value of an enumeration; absent means the one of number 0.
  func choice<Value: RawRepresentable<Int8>>(_ slot: Int, _ name: String) throws(ApusError) -> Value {
    let raw = try integer(slot, name, default: 0 as Int8)
    guard let value = Value(rawValue: raw) else {
      throw error(slot, name, "unknown value \(raw)", expected: "a value of the schema")
    }
    return value
  }

  /// A number from 1.
  func positive(_ slot: Int, _ name: String, default fallback: Int32 = 0) throws(ApusError) -> Int {
    let value = try int(slot, name, default: fallback)
    guard value >= 1 else { throw error(slot, name, "\(name) is \(value)", expected: "at least 1") }
    return value
  }

  func extent(
    height: (slot: Int, name: String), width: (slot: Int, name: String), default fallback: Int32 = 0
  ) throws(ApusError) -> TFLiteExtent {
    TFLiteExtent(
      height: try positive(height.slot, height.name, default: fallback),
      width: try positive(width.slot, width.name, default: fallback))
  }
}
