import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Other shapes for the same elements, and shapes as data.
  static let shaping: [TFLiteOperatorDescriptor] = [
    .inspecting(.RESHAPE, reshape),
    .reading(.SQUEEZE) { (options: SqueezeOptions) in Squeeze(axes: options.axes) },
    .plain(.EXPAND_DIMS, ExpandDimensions()),
    .plain(.TRANSPOSE, Transpose()),
    .reading(.SHAPE) { (options: ShapeOptions) throws(ApusError) in
      ShapeOf(elementType: try elements(options.outputType, of: "a shape"))
    },
    .plain(.RANK, Rank()),
    .plain(.BROADCAST_TO, BroadcastTo()),
    .plain(.BROADCAST_ARGS, BroadcastArguments()),
    .plain(.FILL, Fill()),
    .plain(.ZEROS_LIKE, ZerosLike()),
    .plain(.RANGE, NumberRange()),
    .plain(.TILE, Tile()),
    .plain(.PAD, Pad()),
    .plain(.PADV2, Pad()),
    .reading(.MIRROR_PAD) { (options: MirrorPadOptions) in
      MirrorPad(mode: options.mode == .reflect ? .reflect : .symmetric)
    },
    .plain(.MATRIX_DIAG, MatrixDiagonal()),
    .plain(.MATRIX_SET_DIAG, MatrixSetDiagonal()),
  ]

  /// Elements chosen by indices or conditions.
  static let selection: [TFLiteOperatorDescriptor] = [
    .reading(.GATHER) { (options: GatherOptions) in
      Gather(axis: options.axis, batchDimensions: options.batchDimensions)
    },
    .plain(.GATHER_ND, GatherND()),
    .plain(.SCATTER_ND, ScatterND()),
    .plain(.SPARSE_TO_DENSE, SparseToDense()),
    .plain(.EMBEDDING_LOOKUP, EmbeddingLookup()),
    .reading(.ONE_HOT) { (options: OneHotOptions) in OneHot(axis: options.axis) },
    .plain(.SELECT, Select(broadcasts: false)),
    .plain(.SELECT_V2, Select(broadcasts: true)),
    .plain(.WHERE, Where()),
  ]

  /// Tensors cut up, put together and turned round.
  static let slicing: [TFLiteOperatorDescriptor] = [
    .reading(.CONCATENATION) { (options: ConcatenationOptions) throws(ApusError) in
      guard options.activation == .none else {
        throw ApusError(
          .unsupportedModel, "the fused activation \(options.activation)", expected: "none")
      }
      return Concatenation(axis: options.axis)
    },
    .reading(.SPLIT) { (options: SplitOptions) in Split(count: options.count) },
    .reading(.SPLIT_V) { (options: SplitOptions) in SplitV(count: options.count) },
    .inspecting(.PACK) { (options: PackOptions, step) throws(ApusError) in
      guard step.step.inputs.count == options.count else {
        throw ApusError(
          .malformedModel, "\(step.step.inputs.count) inputs", expected: "\(options.count)")
      }
      return Pack(axis: options.axis)
    },
    .reading(.UNPACK) { (options: UnpackOptions) in Unpack(count: options.count, axis: options.axis) },
    .plain(.SLICE, Slice()),
    .plain(.DYNAMIC_UPDATE_SLICE, DynamicUpdateSlice()),
    .reading(.STRIDED_SLICE) { (options: StridedSliceOptions) in
      StridedSlice(
        beginMask: options.beginMask, endMask: options.endMask, ellipsisMask: options.ellipsisMask,
        newAxisMask: options.newAxisMask, shrinkAxisMask: options.shrinkAxisMask, offset: options.endIsOffset)
    },
    .plain(.REVERSE_V2, Reverse()),
    .reading(.REVERSE_SEQUENCE) { (options: ReverseSequenceOptions) in
      ReverseSequence(sequenceAxis: options.sequenceAxis, batchAxis: options.batchAxis)
    },
  ]

  /// Images resized, or cut into blocks.
  static let blocks: [TFLiteOperatorDescriptor] = [
    .reading(.RESIZE_BILINEAR) { (options: ResizeBilinearOptions) in
      ResizeBilinear(alignCorners: options.alignCorners, halfPixelCenters: options.halfPixelCenters)
    },
    .reading(.RESIZE_NEAREST_NEIGHBOR) { (options: ResizeNearestNeighborOptions) in
      ResizeNearestNeighbor(alignCorners: options.alignCorners, halfPixelCenters: options.halfPixelCenters)
    },
    .reading(.DEPTH_TO_SPACE) { (options: BlockOptions) in DepthToSpace(blockSize: options.size) },
    .reading(.SPACE_TO_DEPTH) { (options: BlockOptions) in SpaceToDepth(blockSize: options.size) },
    .plain(.SPACE_TO_BATCH_ND, SpaceToBatchND()),
    .plain(.BATCH_TO_SPACE_ND, BatchToSpaceND()),
  ]

  /// The shape is operand 1 when that is a vector of 32-bit integers, as in TFLite; else it is in the options,
  /// where old files write a scalar's as [0].
  private static func reshape(
    _ options: ReshapeOptions, _ step: TFLiteStep
  ) throws(ApusError) -> any Operation {
    if let shape = step.input(1), shape.type == .int32, shape.shape.rank == 1 { return Reshape(shape: nil) }
    guard let newShape = options.newShape else {
      throw ApusError(.malformedModel, "no new shape", expected: "one as input 1 or in the options")
    }
    return Reshape(shape: newShape == [0] ? [] : newShape)
  }
}
