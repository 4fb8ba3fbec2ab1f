import TensorCore

extension TFLiteOptionTables {
  /// Options of operators that change element types, and of those that stand for others.
  static let conversion: [any TFLiteOptionDescription.Type] = [
    CastOptions.self, FakeQuantOptions.self, BucketizeOptions.self, CompositeOptions.self,
  ]
}

package struct CastOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("CastOptions", 37, .CAST)]

  package var from = TFLiteTensorType.float32
  package var to = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.elementType(0, "in_data_type", &from)
    try fields.elementType(1, "out_data_type", &to)
  }
}

package struct FakeQuantOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("FakeQuantOptions", 58, .FAKE_QUANT)]

  package var minimum: Float = 0
  package var maximum: Float = 0
  package var bits = 0
  package var narrowRange = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.float(0, "min", &minimum)
    try fields.float(1, "max", &maximum)
    try fields.integer(2, "num_bits", &bits)
    try fields.flag(3, "narrow_range", &narrowRange)
  }
}

package struct BucketizeOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("BucketizeOptions", 115, .BUCKETIZE)]

  package var boundaries: [Float] = []

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.floats(0, "boundaries", &boundaries)
  }
}

/// An operation by name, spelled out in another subgraph.
package struct CompositeOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("StableHLOCompositeOptions", 21, union: 2, .STABLEHLO_COMPOSITE)]

  package var name = ""
  package var decomposition = 0
  package var version = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.text(0, "name", &name)
    try fields.integer(1, "decomposition_subgraph_index", &decomposition)
    try fields.integer(4, "version", &version)
  }
}
