import Graph
import TensorCore
import TestSupport
import Testing

/// Arithmetic operations on operands of random types, shapes, scales and elements, among them the extreme
/// ones: each ends in a result or in an ``ApusError``.
@Suite struct ArithmeticFuzzTests {
  @Test(arguments: 0..<300)
  func everyOutcomeIsAResultOrAnError(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var results = 0
    for make in Self.operations {
      for count in [1, 2, Int.random(in: 1...4, using: &random)] {
        let operation = make(&random)
        var inputs: [Tensor] = []
        for _ in 0..<count { inputs.append(try Self.tensor(&random, like: inputs.first)) }
        let declared = Bool.random(using: &random) ? try Self.type(&random, like: inputs.first) : nil
        do {
          _ = try evaluate(operation, inputs, result: declared)
          results += 1
        } catch is ApusError {
        }
      }
    }
    #expect(results > 0, "seed \(seed): nothing fits")
  }

  private static let operations: [@Sendable (inout SeededRandom) -> any Operation] = [
    { Add(activation: activation(&$0), potScaleInt16: Bool.random(using: &$0)) },
    { Subtract(activation: activation(&$0), potScaleInt16: Bool.random(using: &$0)) },
    { Multiply(activation: activation(&$0)) },
    { Divide(activation: activation(&$0)) },
    { Extremum(Bool.random(using: &$0) ? .maximum : .minimum) },
    { _ in Power() }, { _ in FloorDivide() }, { _ in FloorModulo() }, { _ in Atan2() },
    { _ in SquaredDifference() }, { _ in BitwiseXor() }, { _ in RightShift() }, { _ in AddN() },
    { Compare([.equal, .notEqual, .less, .lessEqual].randomElement(using: &$0) ?? .greater) },
    { LogicalBinary(Bool.random(using: &$0) ? .and : .or) }, { _ in LogicalNot() },
    {
      UnaryMath(
        [.abs, .negate, .exp, .log, .sqrt, .rsqrt, .round, .sign].randomElement(using: &$0) ?? .square)
    },
    { Relu([.relu, .relu6, .reluN1To1].randomElement(using: &$0) ?? .relu0To1) },
    { LeakyRelu(alpha: number(&$0)) }, { _ in PRelu() }, { _ in Elu() }, { _ in HardSwish() },
    { _ in Logistic() }, { _ in Tanh() }, { Gelu([.tanh, .sigmoid].randomElement(using: &$0) ?? .exact) },
    { _ in Quantize() }, { _ in Dequantize() },
    { FakeQuantize(minimum: number(&$0), maximum: number(&$0), bitCount: size(&$0), narrowRange: true) },
    { Softmax(beta: number(&$0)) }, { _ in LogSoftmax() }, { _ in L2Normalization() },
    { LocalResponseNormalization(radius: size(&$0), bias: number(&$0), alpha: number(&$0), beta: 1) },
    {
      Pool2D(
        [.average, .max].randomElement(using: &$0) ?? .l2, filterHeight: size(&$0), filterWidth: size(&$0),
        strideHeight: size(&$0), strideWidth: size(&$0), padding: padding(&$0), activation: activation(&$0))
    },
    {
      Reduce(
        [.mean, .sum, .max, .min, .product, .any].randomElement(using: &$0) ?? .all,
        axes: Bool.random(using: &$0) ? [size(&$0), -1] : nil, keepDimensions: Bool.random(using: &$0))
    },
    {
      BatchMatMul(
        transposeA: Bool.random(using: &$0), transposeB: Bool.random(using: &$0),
        asymmetricQuantizeInputs: Bool.random(using: &$0))
    },
  ]

  private static func activation(_ random: inout SeededRandom) -> Activation {
    [.none, .none, .relu, .relu6, .reluN1To1, .hardSwish].randomElement(using: &random) ?? .tanh
  }

  private static func padding(_ random: inout SeededRandom) -> Padding {
    let explicit = Padding.explicit(
      top: size(&random), bottom: size(&random), left: size(&random), right: size(&random))
    return [.same, .valid].randomElement(using: &random) ?? explicit
  }

  private static func size(_ random: inout SeededRandom) -> Int {
    [-1, 0, 1, 1, 2, 2, 3, 8, 1 << 31, .max, .min].randomElement(using: &random) ?? 1
  }

  private static func number(_ random: inout SeededRandom) -> Float {
    [0, 1, -1, 0.3, 1e-30, 1e30, -1e30, .nan, .infinity].randomElement(using: &random) ?? 2
  }

  /// A type that often is that of `first`, so that many operands fit together.
  private static func type(_ random: inout SeededRandom, like first: Tensor?) throws -> TensorType {
    let types: [DataType] = [.float32, .int8, .uint8, .int16, .int32, .int64, .bool, .float16]
    let isAlike = Int.random(in: 0...3, using: &random) != 0
    let dataType = (isAlike ? first?.dataType : nil) ?? types.randomElement(using: &random) ?? .float32
    let rank = [0, 1, 1, 2, 3, 4, 4, 5].randomElement(using: &random) ?? 1
    let dimensions = (0..<rank).map { _ in [0, 1, 1, 2, 3, 4].randomElement(using: &random) ?? 1 }
    let shape =
      try isAlike && Bool.random(using: &random) ? first?.shape ?? Shape(dimensions) : Shape(dimensions)
    guard dataType.isInteger, Int.random(in: 0...5, using: &random) != 0 else {
      return TensorType(dataType, shape)
    }
    if let quantization = first?.quantization, Bool.random(using: &random) {
      return TensorType(dataType, shape, quantization: quantization)
    }
    guard Int.random(in: 0...2, using: &random) == 0 else {
      return TensorType(dataType, shape, quantization: try Quantization(scales: [0.0625], zeroPoints: [0]))
    }
    let count = Int.random(in: 0...9, using: &random) == 0 ? 2 : 1
    let scales: [Float] = [1, 0.05, 1.0 / 256, 1.0 / 32768, 1.0 / 16, 1.0 / 128, 1e-38, 1e-9, 1e9, 3e38]
    let zeroPoints: [Int32] = [0, 0, 0, -128, 127, 128, 255, 3, .min, .max]
    return TensorType(
      dataType, shape,
      quantization: try Quantization(
        scales: (0..<count).map { _ in scales.randomElement(using: &random) ?? 1 },
        zeroPoints: (0..<count).map { _ in zeroPoints.randomElement(using: &random) ?? 0 }, axis: 0))
  }

  private static func tensor(_ random: inout SeededRandom, like first: Tensor?) throws -> Tensor {
    let type = try type(&random, like: first)
    let kind = Int.random(in: 0...4, using: &random)
    let bytes = random.bytes(type.byteCount)
    return try Tensor(type) { target in
      for index in 0..<target.count {
        let byte: UInt8 =
          switch kind {
          case 0: 0
          case 1: 0xFF
          case 2: 0x80
          default: bytes[index]
          }
        target[index] = type.dataType == .bool ? byte & 1 : byte
      }
    }
  }
}
