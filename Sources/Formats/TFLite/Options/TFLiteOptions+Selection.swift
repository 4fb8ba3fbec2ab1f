import TensorCore

extension TFLiteOptionTables {
  static let selection: [any TFLiteOptionDescription.Type] = [
    ConcatenationOptions.self, SplitOptions.self, PackOptions.self, UnpackOptions.self,
    StridedSliceOptions.self, ReverseSequenceOptions.self, GatherOptions.self, OneHotOptions.self,
    UniqueOptions.self,
  ]
}

package struct ConcatenationOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ConcatenationOptions", 10, .CONCATENATION)]

  package var axis = 0
  package var activation = TFLiteActivation.none

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "axis", &axis)
    try fields.activation(1, &activation)
  }
}

package struct SplitOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("SplitOptions", 35, .SPLIT), TFLiteOptionTable("SplitVOptions", 79, .SPLIT_V),
  ]

  package var count = 1

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.positive(0, "num_splits", &count)
  }
}

package struct PackOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("PackOptions", 59, .PACK)]

  package var count = 1
  package var axis = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.positive(0, "values_count", &count)
    try fields.integer(1, "axis", &axis)
  }
}

package struct UnpackOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("UnpackOptions", 64, .UNPACK)]

  package var count = 1
  package var axis = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.positive(0, "num", &count)
    try fields.integer(1, "axis", &axis)
  }
}

/// Bit masks with a bit for each axis.
package struct StridedSliceOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("StridedSliceOptions", 32, .STRIDED_SLICE)]

  package var beginMask = 0
  package var endMask = 0
  package var ellipsisMask = 0
  package var newAxisMask = 0
  package var shrinkAxisMask = 0
  /// Whether the ends count from the begins.
  package var endIsOffset = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "begin_mask", &beginMask)
    try fields.integer(1, "end_mask", &endMask)
    try fields.integer(2, "ellipsis_mask", &ellipsisMask)
    try fields.integer(3, "new_axis_mask", &newAxisMask)
    try fields.integer(4, "shrink_axis_mask", &shrinkAxisMask)
    try fields.flag(5, "offset", &endIsOffset)
  }
}

package struct ReverseSequenceOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("ReverseSequenceOptions", 87, .REVERSE_SEQUENCE)]

  package var sequenceAxis = 0
  package var batchAxis = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "seq_dim", &sequenceAxis)
    try fields.integer(1, "batch_dim", &batchAxis)
  }
}

package struct GatherOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("GatherOptions", 23, .GATHER)]

  package var axis = 0
  package var batchDimensions = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "axis", &axis)
    try fields.integer(1, "batch_dims", &batchDimensions)
  }
}

package struct OneHotOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("OneHotOptions", 61, .ONE_HOT)]

  package var axis = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "axis", &axis)
  }
}

package struct UniqueOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("UniqueOptions", 80, .UNIQUE)]

  package var indexType = TFLiteTensorType.int32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.elementType(0, "idx_out_type", &indexType, default: .int32)
  }
}
