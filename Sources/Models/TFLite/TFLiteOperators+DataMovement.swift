import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Other shapes for the same elements, and shapes as data.
  static let shaping: [TFLiteBuiltin: Importer] = [
    .RESHAPE: reshape,
    .SQUEEZE: { step throws(ApusError) in
      guard case .squeeze(let axes) = step.options else { throw step.optionsMismatch }
      return Squeeze(axes: axes)
    },
    .EXPAND_DIMS: { _ in ExpandDimensions() },
    .TRANSPOSE: { _ in Transpose() },
    .SHAPE: { step throws(ApusError) in
      guard case .shape(let type) = step.options else { throw step.optionsMismatch }
      guard let elementType = type.dataType else {
        throw ApusError(.unsupportedModel, "a shape of type \(type.name)")
      }
      return ShapeOf(elementType: elementType)
    },
    .RANK: { _ in Rank() },
    .BROADCAST_TO: { _ in BroadcastTo() },
    .BROADCAST_ARGS: { _ in BroadcastArguments() },
    .FILL: { _ in Fill() },
    .RANGE: { _ in NumberRange() },
    .TILE: { _ in Tile() },
    .PAD: { _ in Pad() },
    .PADV2: { _ in Pad() },
    .MIRROR_PAD: { step throws(ApusError) in
      guard case .mirrorPad(let mode) = step.options else { throw step.optionsMismatch }
      return MirrorPad(mode: mode == .reflect ? .reflect : .symmetric)
    },
    .MATRIX_DIAG: { _ in MatrixDiagonal() },
    .MATRIX_SET_DIAG: { _ in MatrixSetDiagonal() },
  ]

  /// Elements chosen by indices or conditions.
  static let selection: [TFLiteBuiltin: Importer] = [
    .GATHER: { step throws(ApusError) in
      guard case .gather(let axis, let batchDimensions) = step.options else { throw step.optionsMismatch }
      return Gather(axis: axis, batchDimensions: batchDimensions)
    },
    .GATHER_ND: { _ in GatherND() },
    .SCATTER_ND: { _ in ScatterND() },
    .EMBEDDING_LOOKUP: { _ in EmbeddingLookup() },
    .ONE_HOT: { step throws(ApusError) in
      guard case .oneHot(let axis) = step.options else { throw step.optionsMismatch }
      return OneHot(axis: axis)
    },
    .SELECT: { _ in Select(broadcasts: false) },
    .SELECT_V2: { _ in Select(broadcasts: true) },
    .WHERE: { _ in Where() },
  ]

  /// Tensors cut up, put together and turned round.
  static let slicing: [TFLiteBuiltin: Importer] = [
    .CONCATENATION: { step throws(ApusError) in
      guard case .concatenation(let axis, let activation) = step.options else { throw step.optionsMismatch }
      guard activation == .none else {
        throw ApusError(.unsupportedModel, "the fused activation \(activation)", expected: "none")
      }
      return Concatenation(axis: axis)
    },
    .SPLIT: { step throws(ApusError) in
      guard case .split(let count) = step.options else { throw step.optionsMismatch }
      return Split(count: count)
    },
    .SPLIT_V: { step throws(ApusError) in
      guard case .split(let count) = step.options else { throw step.optionsMismatch }
      return SplitV(count: count)
    },
    .PACK: { step throws(ApusError) in
      guard case .pack(let count, let axis) = step.options else { throw step.optionsMismatch }
      guard step.step.inputs.count == count else {
        throw ApusError(.malformedModel, "\(step.step.inputs.count) inputs", expected: "\(count)")
      }
      return Pack(axis: axis)
    },
    .UNPACK: { step throws(ApusError) in
      guard case .unpack(let count, let axis) = step.options else { throw step.optionsMismatch }
      return Unpack(count: count, axis: axis)
    },
    .SLICE: { _ in Slice() },
    .STRIDED_SLICE: { step throws(ApusError) in
      guard case .stridedSlice(let options) = step.options else { throw step.optionsMismatch }
      return StridedSlice(
        beginMask: options.beginMask, endMask: options.endMask, ellipsisMask: options.ellipsisMask,
        newAxisMask: options.newAxisMask, shrinkAxisMask: options.shrinkAxisMask, offset: options.endIsOffset)
    },
    .REVERSE_V2: { _ in Reverse() },
    .REVERSE_SEQUENCE: { step throws(ApusError) in
      guard case .reverseSequence(let sequenceAxis, let batchAxis) = step.options else {
        throw step.optionsMismatch
      }
      return ReverseSequence(sequenceAxis: sequenceAxis, batchAxis: batchAxis)
    },
  ]

  /// Images resized, or cut into blocks.
  static let blocks: [TFLiteBuiltin: Importer] = [
    .RESIZE_BILINEAR: { step throws(ApusError) in
      guard case .resize(let alignCorners, let halfPixelCenters) = step.options else {
        throw step.optionsMismatch
      }
      return ResizeBilinear(alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
    },
    .RESIZE_NEAREST_NEIGHBOR: { step throws(ApusError) in
      guard case .resize(let alignCorners, let halfPixelCenters) = step.options else {
        throw step.optionsMismatch
      }
      return ResizeNearestNeighbor(alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
    },
    .DEPTH_TO_SPACE: { step throws(ApusError) in
      guard case .blocks(let size) = step.options else { throw step.optionsMismatch }
      return DepthToSpace(blockSize: size)
    },
    .SPACE_TO_DEPTH: { step throws(ApusError) in
      guard case .blocks(let size) = step.options else { throw step.optionsMismatch }
      return SpaceToDepth(blockSize: size)
    },
    .SPACE_TO_BATCH_ND: { _ in SpaceToBatchND() },
    .BATCH_TO_SPACE_ND: { _ in BatchToSpaceND() },
  ]

  /// The shape is operand 1 when that is a vector of 32-bit integers, as in TFLite; else it is in the options,
  /// where old files write a scalar's as [0].
  private static func reshape(_ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .reshape(let newShape) = step.options else { throw step.optionsMismatch }
    if let shape = step.input(1), shape.type == .int32, shape.shape.rank == 1 { return Reshape(shape: nil) }
    guard let newShape else {
      throw ApusError(.malformedModel, "no new shape", expected: "one as input 1 or in the options")
    }
    return Reshape(shape: newShape == [0] ? [] : newShape)
  }
}
