import TensorCore

extension TFLiteOptionTables {
  static let shaping: [any TFLiteOptionDescription.Type] = [
    ReshapeOptions.self, SqueezeOptions.self, ShapeOptions.self, MirrorPadOptions.self, BlockOptions.self,
    ResizeBilinearOptions.self, ResizeNearestNeighborOptions.self,
  ]
}

package struct ReshapeOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ReshapeOptions", 17, .RESHAPE)]

  /// The shape when it is not an input; nil when the file gives none here.
  package var newShape: [Int]?

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integers(0, "new_shape", &newShape)
  }
}

package struct SqueezeOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("SqueezeOptions", 30, .SQUEEZE)]

  package var axes: [Int] = []

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    var given: [Int]? = axes
    try fields.integers(0, "squeeze_dims", &given)
    axes = given ?? []
  }
}

package struct ShapeOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ShapeOptions", 55, .SHAPE)]

  package var outputType = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.elementType(0, "out_type", &outputType)
  }
}

package struct MirrorPadOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("MirrorPadOptions", 77, .MIRROR_PAD)]

  package var mode = TFLiteMirrorPadMode.reflect

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.choice(0, "mode", &mode)
  }
}

package struct BlockOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("SpaceToDepthOptions", 19, .SPACE_TO_DEPTH),
    TFLiteOptionTable("DepthToSpaceOptions", 94, .DEPTH_TO_SPACE),
  ]

  package var size = 1

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.positive(0, "block_size", &size)
  }
}

package struct ResizeBilinearOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ResizeBilinearOptions", 15, .RESIZE_BILINEAR)]

  package var alignCorners = false
  package var halfPixelCenters = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(2, "align_corners", &alignCorners)
    try fields.flag(3, "half_pixel_centers", &halfPixelCenters)
  }
}

package struct ResizeNearestNeighborOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ResizeNearestNeighborOptions", 74, .RESIZE_NEAREST_NEIGHBOR)]

  package var alignCorners = false
  package var halfPixelCenters = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(0, "align_corners", &alignCorners)
    try fields.flag(1, "half_pixel_centers", &halfPixelCenters)
  }
}
