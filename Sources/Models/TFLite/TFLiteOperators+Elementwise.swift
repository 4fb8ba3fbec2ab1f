import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Arithmetic, element by element.
  static let elementwise: [TFLiteBuiltin: Importer] = [
    .ADD: { step throws(ApusError) in
      let (activation, powerOfTwoScale) = try elementwiseOptions(step)
      return Add(activation: activation, potScaleInt16: powerOfTwoScale)
    },
    .SUB: { step throws(ApusError) in
      let (activation, powerOfTwoScale) = try elementwiseOptions(step)
      return Subtract(activation: activation, potScaleInt16: powerOfTwoScale)
    },
    .MUL: { step throws(ApusError) in Multiply(activation: try elementwiseOptions(step).activation) },
    .DIV: { step throws(ApusError) in Divide(activation: try elementwiseOptions(step).activation) },
    .MAXIMUM: { _ in Extremum(.maximum) },
    .MINIMUM: { _ in Extremum(.minimum) },
    .POW: { _ in Power() },
    .FLOOR_DIV: { _ in FloorDivide() },
    .FLOOR_MOD: { _ in FloorModulo() },
    .ATAN2: { _ in Atan2() },
    .SQUARED_DIFFERENCE: { _ in SquaredDifference() },
    .BITWISE_XOR: { _ in BitwiseXor() },
    .RIGHT_SHIFT: { _ in RightShift() },
    .ADD_N: { _ in AddN() },
    .ABS: { _ in UnaryMath(.abs) },
    .NEG: { _ in UnaryMath(.negate) },
    .EXP: { _ in UnaryMath(.exp) },
    .LOG: { _ in UnaryMath(.log) },
    .SQRT: { _ in UnaryMath(.sqrt) },
    .RSQRT: { _ in UnaryMath(.rsqrt) },
    .SQUARE: { _ in UnaryMath(.square) },
    .SIN: { _ in UnaryMath(.sin) },
    .COS: { _ in UnaryMath(.cos) },
    .FLOOR: { _ in UnaryMath(.floor) },
    .CEIL: { _ in UnaryMath(.ceil) },
    .ROUND: { _ in UnaryMath(.round) },
    .SIGN: { _ in UnaryMath(.sign) },
  ]

  /// Comparisons and logic.
  static let comparison: [TFLiteBuiltin: Importer] = [
    .EQUAL: { _ in Compare(.equal) },
    .NOT_EQUAL: { _ in Compare(.notEqual) },
    .LESS: { _ in Compare(.less) },
    .LESS_EQUAL: { _ in Compare(.lessEqual) },
    .GREATER: { _ in Compare(.greater) },
    .GREATER_EQUAL: { _ in Compare(.greaterEqual) },
    .LOGICAL_AND: { _ in LogicalBinary(.and) },
    .LOGICAL_OR: { _ in LogicalBinary(.or) },
    .LOGICAL_NOT: { _ in LogicalNot() },
  ]

  /// Activation functions that stand alone.
  static let activation: [TFLiteBuiltin: Importer] = [
    .RELU: { _ in Relu(.relu) },
    .RELU6: { _ in Relu(.relu6) },
    .RELU_N1_TO_1: { _ in Relu(.reluN1To1) },
    .RELU_0_TO_1: { _ in Relu(.relu0To1) },
    .PRELU: { _ in PRelu() },
    .ELU: { _ in Elu() },
    .HARD_SWISH: { _ in HardSwish() },
    .LOGISTIC: { _ in Logistic() },
    .TANH: { _ in Tanh() },
    .LEAKY_RELU: { step throws(ApusError) in
      guard case .leakyRelu(let alpha) = step.options else { throw step.optionsMismatch }
      return LeakyRelu(alpha: alpha)
    },
    .GELU: { step throws(ApusError) in
      guard case .gelu(let approximate) = step.options else { throw step.optionsMismatch }
      return Gelu(approximate ? .tanh : .exact)
    },
  ]

  private static func elementwiseOptions(
    _ step: TFLiteStep
  ) throws(ApusError) -> (activation: FusedActivation, powerOfTwoScale: Bool) {
    guard case .elementwise(let activation, let powerOfTwoScale) = step.options else {
      throw step.optionsMismatch
    }
    return (FusedActivation(activation), powerOfTwoScale)
  }
}
