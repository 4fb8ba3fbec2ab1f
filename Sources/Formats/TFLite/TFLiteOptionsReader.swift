import TensorCore

extension TFLiteOptions {
  /// The options of an operator.
  /// - Throws: ``ApusError`` when the file has the options of another operator, or a value is unknown or
  ///   cannot be: a padding, an activation, a stride below 1.
  init(_ builtin: TFLiteBuiltin?, of step: FlatBufferTable) throws(ApusError) {
    let (union, kind, name) = builtin?.optionsKind ?? (1, 0, "")
    guard kind != 0 else {
      self = .none
      return
    }
    let (slot, field) = union == 1 ? (3, "builtin_options") : (11, "builtin_options_2")
    let found = try step.integer(slot, field + "_type", default: 0 as UInt8)
    guard found == kind || found == 0 else {
      throw step.error(slot, field + "_type", "options of kind \(found)", expected: "\(kind) (\(name))")
    }
    let table = found == 0 ? nil : try step.table(slot + 1, field, as: name)
    self = try Self.read(builtin, table ?? .empty(named: name))
  }

  private static func read(_ builtin: TFLiteBuiltin?, _ table: FlatBufferTable) throws(ApusError) -> Self {
    switch builtin {
    case .CONV_2D: .conv2D(try Conv2D(table))
    case .DEPTHWISE_CONV_2D: .depthwiseConv2D(try DepthwiseConv2D(table))
    case .TRANSPOSE_CONV: .transposeConv(try TransposeConv(table))
    case .AVERAGE_POOL_2D, .MAX_POOL_2D, .L2_POOL_2D: .pool2D(try Pool2D(table))
    case .FULLY_CONNECTED: .fullyConnected(try FullyConnected(table))
    case .BATCH_MATMUL:
      .batchMatMul(
        BatchMatMul(
          adjointX: try table.bool(0, "adj_x"), adjointY: try table.bool(1, "adj_y"),
          asymmetricQuantizeInputs: try table.bool(2, "asymmetric_quantize_inputs")))
    case .STRIDED_SLICE: .stridedSlice(try StridedSlice(table))
    case .ADD, .SUB:
      .elementwise(
        activation: try table.activation(0),
        powerOfTwoScale: try table.bool(1, "pot_scale_int16", default: true))
    case .MUL, .DIV, .L2_NORMALIZATION:
      .elementwise(activation: try table.activation(0), powerOfTwoScale: false)
    case .SOFTMAX: .softmax(beta: try table.float(0, "beta"))
    case .CONCATENATION: .concatenation(axis: try table.int(0, "axis"), activation: try table.activation(1))
    case .LOCAL_RESPONSE_NORMALIZATION:
      .localResponseNormalization(
        radius: try table.int(0, "radius"), bias: try table.float(1, "bias"),
        alpha: try table.float(2, "alpha"), beta: try table.float(3, "beta"))
    default: try readShapeOptions(builtin, table)
    }
  }

  /// Operators that move elements about.
  private static func readShapeOptions(
    _ builtin: TFLiteBuiltin?, _ table: FlatBufferTable
  ) throws(ApusError) -> Self {
    switch builtin {
    case .RESHAPE: .reshape(newShape: try table.integers(0, "new_shape", of: Int32.self)?.map(Int.init))
    case .SQUEEZE: .squeeze(axes: try table.ints(0, "squeeze_dims"))
    case .MEAN, .SUM, .REDUCE_PROD, .REDUCE_MAX, .REDUCE_MIN, .REDUCE_ANY, .REDUCE_ALL:
      .reduce(keepDimensions: try table.bool(0, "keep_dims"))
    case .GATHER: .gather(axis: try table.int(0, "axis"), batchDimensions: try table.int(1, "batch_dims"))
    case .SPLIT, .SPLIT_V: .split(count: try table.positive(0, "num_splits"))
    case .PACK: .pack(count: try table.positive(0, "values_count"), axis: try table.int(1, "axis"))
    case .UNPACK: .unpack(count: try table.positive(0, "num"), axis: try table.int(1, "axis"))
    case .MIRROR_PAD: .mirrorPad(try table.choice(0, "mode"))
    case .RESIZE_BILINEAR:
      .resize(
        alignCorners: try table.bool(2, "align_corners"),
        halfPixelCenters: try table.bool(3, "half_pixel_centers"))
    case .RESIZE_NEAREST_NEIGHBOR:
      .resize(
        alignCorners: try table.bool(0, "align_corners"),
        halfPixelCenters: try table.bool(1, "half_pixel_centers"))
    case .ONE_HOT: .oneHot(axis: try table.int(0, "axis"))
    case .SHAPE: .shape(outputType: try TFLiteTensorType(table, 0, "out_type"))
    case .SPACE_TO_DEPTH, .DEPTH_TO_SPACE: .blocks(size: try table.positive(0, "block_size"))
    case .REVERSE_SEQUENCE:
      .reverseSequence(sequenceAxis: try table.int(0, "seq_dim"), batchAxis: try table.int(1, "batch_dim"))
    default: try readOtherOptions(builtin, table)
    }
  }

  private static func readOtherOptions(
    _ builtin: TFLiteBuiltin?, _ table: FlatBufferTable
  ) throws(ApusError) -> Self {
    switch builtin {
    case .LEAKY_RELU: .leakyRelu(alpha: try table.float(0, "alpha"))
    case .ARG_MAX, .ARG_MIN: .argumentExtremum(outputType: try TFLiteTensorType(table, 0, "output_type"))
    case .CAST:
      .cast(
        from: try TFLiteTensorType(table, 0, "in_data_type"),
        to: try TFLiteTensorType(table, 1, "out_data_type"))
    case .GELU: .gelu(approximate: try table.bool(0, "approximate"))
    case .CUMSUM:
      .cumulativeSum(exclusive: try table.bool(0, "exclusive"), reverse: try table.bool(1, "reverse"))
    case .FAKE_QUANT:
      .fakeQuantization(
        minimum: try table.float(0, "min"), maximum: try table.float(1, "max"),
        bits: try table.int(2, "num_bits"), narrowRange: try table.bool(3, "narrow_range"))
    case .UNIQUE: .unique(indexType: try TFLiteTensorType(table, 0, "idx_out_type", default: .int32))
    case .BUCKETIZE: .bucketize(boundaries: try table.floats(0, "boundaries"))
    case .STABLEHLO_COMPOSITE:
      .composite(
        name: try table.string(0, "name") ?? "",
        decomposition: try table.int(1, "decomposition_subgraph_index"),
        version: try table.int(4, "version"))
    default: .none
    }
  }
}

extension TFLiteBuiltin {
  /// Which union of the schema has the options, its number for them, and their name; nil when
  /// ``TFLiteOptions`` has no case for the operator.
  var optionsKind: (union: Int, kind: UInt8, name: String)? {
    switch self {
    case .CONV_2D: (1, 1, "Conv2DOptions")
    case .DEPTHWISE_CONV_2D: (1, 2, "DepthwiseConv2DOptions")
    case .AVERAGE_POOL_2D, .MAX_POOL_2D, .L2_POOL_2D: (1, 5, "Pool2DOptions")
    case .FULLY_CONNECTED: (1, 8, "FullyConnectedOptions")
    case .SOFTMAX: (1, 9, "SoftmaxOptions")
    case .CONCATENATION: (1, 10, "ConcatenationOptions")
    case .ADD: (1, 11, "AddOptions")
    case .L2_NORMALIZATION: (1, 12, "L2NormOptions")
    case .LOCAL_RESPONSE_NORMALIZATION: (1, 13, "LocalResponseNormalizationOptions")
    case .RESIZE_BILINEAR: (1, 15, "ResizeBilinearOptions")
    case .RESHAPE: (1, 17, "ReshapeOptions")
    case .SPACE_TO_DEPTH: (1, 19, "SpaceToDepthOptions")
    case .MUL: (1, 21, "MulOptions")
    case .GATHER: (1, 23, "GatherOptions")
    case .MEAN, .SUM, .REDUCE_PROD, .REDUCE_MAX, .REDUCE_MIN, .REDUCE_ANY, .REDUCE_ALL:
      (1, 27, "ReducerOptions")
    case .SUB: (1, 28, "SubOptions")
    case .DIV: (1, 29, "DivOptions")
    case .SQUEEZE: (1, 30, "SqueezeOptions")
    case .STRIDED_SLICE: (1, 32, "StridedSliceOptions")
    case .SPLIT: (1, 35, "SplitOptions")
    case .CAST: (1, 37, "CastOptions")
    case .ARG_MAX: (1, 40, "ArgMaxOptions")
    case .TRANSPOSE_CONV: (1, 49, "TransposeConvOptions")
    case .SHAPE: (1, 55, "ShapeOptions")
    case .ARG_MIN: (1, 57, "ArgMinOptions")
    case .FAKE_QUANT: (1, 58, "FakeQuantOptions")
    case .PACK: (1, 59, "PackOptions")
    case .ONE_HOT: (1, 61, "OneHotOptions")
    case .UNPACK: (1, 64, "UnpackOptions")
    case .RESIZE_NEAREST_NEIGHBOR: (1, 74, "ResizeNearestNeighborOptions")
    case .LEAKY_RELU: (1, 75, "LeakyReluOptions")
    case .MIRROR_PAD: (1, 77, "MirrorPadOptions")
    case .SPLIT_V: (1, 79, "SplitVOptions")
    case .UNIQUE: (1, 80, "UniqueOptions")
    case .REVERSE_SEQUENCE: (1, 87, "ReverseSequenceOptions")
    case .DEPTH_TO_SPACE: (1, 94, "DepthToSpaceOptions")
    case .BATCH_MATMUL: (1, 101, "BatchMatMulOptions")
    case .CUMSUM: (1, 102, "CumsumOptions")
    case .BUCKETIZE: (1, 115, "BucketizeOptions")
    case .GELU: (1, 116, "GeluOptions")
    case .STABLEHLO_COMPOSITE: (2, 21, "StableHLOCompositeOptions")
    default: nil
    }
  }
}
