import TensorCore

extension TFLiteOptionTables {
  static let reduction: [any TFLiteOptionDescription.Type] = [
    ReducerOptions.self, ArgumentExtremumOptions.self, CumsumOptions.self,
  ]
}

package struct ReducerOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable(
      "ReducerOptions", 27, .MEAN, .SUM, .REDUCE_PROD, .REDUCE_MAX, .REDUCE_MIN, .REDUCE_ANY, .REDUCE_ALL)
  ]

  package var keepDimensions = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(0, "keep_dims", &keepDimensions)
  }
}

package struct ArgumentExtremumOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("ArgMaxOptions", 40, .ARG_MAX), TFLiteOptionTable("ArgMinOptions", 57, .ARG_MIN),
  ]

  package var outputType = TFLiteTensorType.float32

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.elementType(0, "output_type", &outputType)
  }
}

package struct CumsumOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("CumsumOptions", 102, .CUMSUM)]

  package var exclusive = false
  package var reverse = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(0, "exclusive", &exclusive)
    try fields.flag(1, "reverse", &reverse)
  }
}
