import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Arithmetic on several operands, element by element.
  static let arithmetic: [TFLiteOperatorDescriptor] = [
    .reading(.ADD, followsLastOperand: true) { (options: AdditionOptions) throws(ApusError) in
      Add(activation: try Activation(options.activation), potScaleInt16: options.powerOfTwoScale)
    },
    .reading(.SUB, followsLastOperand: true) { (options: AdditionOptions) throws(ApusError) in
      Subtract(activation: try Activation(options.activation), potScaleInt16: options.powerOfTwoScale)
    },
    .reading(.MUL, followsLastOperand: true) { (options: ProductOptions) throws(ApusError) in
      Multiply(activation: try Activation(options.activation))
    },
    .reading(.DIV, followsLastOperand: true) { (options: ProductOptions) throws(ApusError) in
      Divide(activation: try Activation(options.activation))
    },
    .plain(.MAXIMUM, Extremum(.maximum)),
    .plain(.MINIMUM, Extremum(.minimum)),
    .plain(.POW, Power()),
    .plain(.FLOOR_DIV, FloorDivide()),
    .plain(.FLOOR_MOD, FloorModulo()),
    .plain(.ATAN2, Atan2()),
    .plain(.SQUARED_DIFFERENCE, SquaredDifference()),
    .plain(.BITWISE_XOR, BitwiseXor()),
    .plain(.RIGHT_SHIFT, RightShift()),
    .plain(.ADD_N, AddN()),
  ]

  /// Functions of one number.
  static let functions: [TFLiteOperatorDescriptor] = [
    .plain(.ABS, UnaryMath(.abs)),
    .plain(.NEG, UnaryMath(.negate)),
    .plain(.EXP, UnaryMath(.exp)),
    .plain(.LOG, UnaryMath(.log)),
    .plain(.SQRT, UnaryMath(.sqrt)),
    .plain(.RSQRT, UnaryMath(.rsqrt)),
    .plain(.SQUARE, UnaryMath(.square)),
    .plain(.SIN, UnaryMath(.sin)),
    .plain(.COS, UnaryMath(.cos)),
    .plain(.FLOOR, UnaryMath(.floor)),
    .plain(.CEIL, UnaryMath(.ceil)),
    .plain(.ROUND, UnaryMath(.round)),
    .plain(.SIGN, UnaryMath(.sign)),
    .reading(.BUCKETIZE) { (options: BucketizeOptions) in Bucketize(boundaries: options.boundaries) },
  ]

  /// Comparisons and logic.
  static let comparison: [TFLiteOperatorDescriptor] = [
    .plain(.EQUAL, Compare(.equal)),
    .plain(.NOT_EQUAL, Compare(.notEqual)),
    .plain(.LESS, Compare(.less)),
    .plain(.LESS_EQUAL, Compare(.lessEqual)),
    .plain(.GREATER, Compare(.greater)),
    .plain(.GREATER_EQUAL, Compare(.greaterEqual)),
    .plain(.LOGICAL_AND, LogicalBinary(.and)),
    .plain(.LOGICAL_OR, LogicalBinary(.or)),
    .plain(.LOGICAL_NOT, LogicalNot()),
  ]

  /// Activation functions that stand alone.
  static let activation: [TFLiteOperatorDescriptor] = [
    .plain(.RELU, Relu(.relu)),
    .plain(.RELU6, Relu(.relu6)),
    .plain(.RELU_N1_TO_1, Relu(.reluN1To1)),
    .plain(.RELU_0_TO_1, Relu(.relu0To1)),
    .plain(.PRELU, PRelu()),
    .plain(.ELU, Elu()),
    .plain(.HARD_SWISH, HardSwish()),
    .plain(.LOGISTIC, Logistic()),
    .plain(.TANH, Tanh()),
    .reading(.LEAKY_RELU) { (options: LeakyReluOptions) in LeakyRelu(alpha: options.alpha) },
    .reading(.GELU) { (options: GeluOptions) in Gelu(options.approximate ? .tanh : .exact) },
  ]
}
