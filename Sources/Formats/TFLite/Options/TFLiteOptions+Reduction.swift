import TensorCore

extension TFLiteOptionTables {
  static let reduction: [any TFLiteOptionDescription.Type] = [
    ReducerOptions.self, ArgumentExtremumOptions.self, CumsumOptions.self, WindowOptions.self,
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

/// Windows, a number for each axis, and what is done to the elements of each; vectors that are left out have ones, or for
/// the padding zeros.
package struct WindowOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("StablehloReduceWindowOptions", 13, union: 2, .STABLEHLO_REDUCE_WINDOW)
  ]

  package var sizes: [Int] = []
  package var strides: [Int] = []
  package var inputSteps: [Int] = []
  package var windowSteps: [Int] = []
  /// Before and behind each axis.
  package var padding: [Int] = []
  /// The subgraph that says what is done.
  package var body = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.longs(0, "window_dimensions", &sizes)
    try fields.longs(1, "window_strides", &strides)
    try fields.longs(2, "base_dilations", &inputSteps)
    try fields.longs(3, "window_dilations", &windowSteps)
    try fields.longs(4, "padding", &padding)
    try fields.integer(5, "body_subgraph_index", &body)
  }
}
