import TensorCore

extension TFLiteOptionTables {
  static let elementwise: [any TFLiteOptionDescription.Type] = [
    AdditionOptions.self, ProductOptions.self, LeakyReluOptions.self, GeluOptions.self, SoftmaxOptions.self,
    LocalResponseNormalizationOptions.self,
  ]
}

package struct AdditionOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("AddOptions", 11, .ADD), TFLiteOptionTable("SubOptions", 28, .SUB)]

  package var activation = TFLiteActivation.none
  package var powerOfTwoScale = true

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.activation(0, &activation)
    try fields.flag(1, "pot_scale_int16", &powerOfTwoScale, default: true)
  }
}

package struct ProductOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("MulOptions", 21, .MUL), TFLiteOptionTable("DivOptions", 29, .DIV),
    TFLiteOptionTable("L2NormOptions", 12, .L2_NORMALIZATION),
  ]

  /// Ignored by L2_NORMALIZATION.
  package var activation = TFLiteActivation.none

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.activation(0, &activation)
  }
}

package struct LeakyReluOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("LeakyReluOptions", 75, .LEAKY_RELU)]

  package var alpha: Float = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.float(0, "alpha", &alpha)
  }
}

package struct GeluOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("GeluOptions", 116, .GELU)]

  package var approximate = false

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.flag(0, "approximate", &approximate)
  }
}

package struct SoftmaxOptions: TFLiteOptionDescription {
  static let tables = [TFLiteOptionTable("SoftmaxOptions", 9, .SOFTMAX)]

  package var beta: Float = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.float(0, "beta", &beta)
  }
}

package struct LocalResponseNormalizationOptions: TFLiteOptionDescription {
  static let tables = [
    TFLiteOptionTable("LocalResponseNormalizationOptions", 13, .LOCAL_RESPONSE_NORMALIZATION)
  ]

  package var radius = 0
  package var bias: Float = 0
  package var alpha: Float = 0
  package var beta: Float = 0

  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError) {
    try fields.integer(0, "radius", &radius)
    try fields.float(1, "bias", &bias)
    try fields.float(2, "alpha", &alpha)
    try fields.float(3, "beta", &beta)
  }
}
