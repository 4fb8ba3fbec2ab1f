import Formats
import TensorCore

/// What TFLite's quantization specification demands of the integer form of an operator.
struct IntegerRule: Sendable {
  enum Kind: Sendable {
    /// Weights, input 1, are symmetric with a scale for each slice along an axis; the bias, input 2, is int32 with
    /// the product of the scales of input and weights. The result has a scale of its own.
    case weighted(axis: Int)
    /// Every operand and result has a scale of its own.
    case free
    /// All operands of numbers and all results have one scale and zero point.
    case shared
    /// The result has this scale and zero point.
    case fixed(scale: Float, zeroPoint: Int32)
    /// The result is no quantized number: a shape, a position.
    case reading
  }

  private let kind: Kind
  /// The least version of the operator that takes int8.
  let version: Int

  private init(_ kind: Kind, _ version: Int) {
    self.kind = kind
    self.version = version
  }

  /// The operators that are brought to int8.
  ///
  /// Source: https://ai.google.dev/edge/litert/conversion/tensorflow/quantization/quantization_spec; versions from
  /// `op_version.cc` of TensorFlow 2.20.
  private static let table: [TFLiteBuiltin: IntegerRule] = [
    .CONV_2D: IntegerRule(.weighted(axis: 0), 3), .DEPTHWISE_CONV_2D: IntegerRule(.weighted(axis: 3), 3),
    .FULLY_CONNECTED: IntegerRule(.weighted(axis: 0), 4),
    .ADD: IntegerRule(.free, 2), .SUB: IntegerRule(.free, 2), .MUL: IntegerRule(.free, 3),
    .MEAN: IntegerRule(.free, 2), .RELU: IntegerRule(.free, 2), .RELU6: IntegerRule(.free, 2),
    .LEAKY_RELU: IntegerRule(.free, 1), .HARD_SWISH: IntegerRule(.free, 1),
    .AVERAGE_POOL_2D: IntegerRule(.shared, 2), .MAX_POOL_2D: IntegerRule(.shared, 2),
    .RESHAPE: IntegerRule(.shared, 1), .SQUEEZE: IntegerRule(.shared, 1),
    .EXPAND_DIMS: IntegerRule(.shared, 1), .PAD: IntegerRule(.shared, 2),
    .MIRROR_PAD: IntegerRule(.shared, 2), .CONCATENATION: IntegerRule(.shared, 2),
    .TRANSPOSE: IntegerRule(.shared, 2), .STRIDED_SLICE: IntegerRule(.shared, 2),
    .SLICE: IntegerRule(.shared, 2), .SPLIT: IntegerRule(.shared, 2), .PACK: IntegerRule(.shared, 2),
    .UNPACK: IntegerRule(.shared, 2), .MAXIMUM: IntegerRule(.shared, 2), .MINIMUM: IntegerRule(.shared, 2),
    .RESIZE_BILINEAR: IntegerRule(.shared, 2), .RESIZE_NEAREST_NEIGHBOR: IntegerRule(.shared, 2),
    .SPACE_TO_DEPTH: IntegerRule(.shared, 2), .DEPTH_TO_SPACE: IntegerRule(.shared, 2),
    .SOFTMAX: IntegerRule(.fixed(scale: 1 / 256, zeroPoint: -128), 2),
    .LOGISTIC: IntegerRule(.fixed(scale: 1 / 256, zeroPoint: -128), 2),
    .TANH: IntegerRule(.fixed(scale: 1 / 128, zeroPoint: 0), 2),
    .L2_NORMALIZATION: IntegerRule(.fixed(scale: 1 / 128, zeroPoint: 0), 2),
    .SHAPE: IntegerRule(.reading, 1), .ARG_MAX: IntegerRule(.reading, 2),
  ]

  /// Operators whose int16 form the TFLite converter does not know either, as of TensorFlow 2.21.
  private static let withoutInt16: Set<TFLiteBuiltin> = [
    .HARD_SWISH, .SPACE_TO_DEPTH, .DEPTH_TO_SPACE, .L2_NORMALIZATION, .ARG_MAX,
  ]

  /// The rule for an operator with activations of a type; nil when there is no such form.
  static func of(_ builtin: TFLiteBuiltin?, _ activations: ActivationType) -> IntegerRule? {
    guard let builtin, activations != .int16 || !withoutInt16.contains(builtin) else { return nil }
    return table[builtin]
  }

  func kind(_ activations: ActivationType) -> Kind {
    if case .fixed = kind, activations == .int16 { return .fixed(scale: 1 / 32768, zeroPoint: 0) }
    return kind
  }

  /// The version for an operator: the least that has int8, or what the file states if that is more.
  func version(of step: TFLiteOperator) -> Int {
    var least = version
    if let options = step.options as? FullyConnectedOptions {
      if options.keepDimensions { least = max(least, 5) }
      if step.inputs.count == 2 { least = max(least, 6) }
    }
    return max(least, step.code.version)
  }
}
