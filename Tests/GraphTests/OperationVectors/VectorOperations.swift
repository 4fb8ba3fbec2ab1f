import TensorCore
import Testing

@testable import Graph

extension OperationVectors.Case {
  private var activation: FusedActivation { FusedActivation(rawValue: text("activation")) ?? .none }

  /// The operation that the case names, with its attributes.
  func makeOperation() throws -> any Operation {
    if let operation = try makeArithmetic() { return operation }
    return try #require(try makeOther(), "an operation named \(operation)")
  }

  private func makeArithmetic() throws -> (any Operation)? {
    switch operation {
    case "Add": Add(activation: activation, potScaleInt16: flag("potScaleInt16"))
    case "Subtract": Subtract(activation: activation, potScaleInt16: flag("potScaleInt16"))
    case "Multiply": Multiply(activation: activation)
    case "Divide": Divide(activation: activation)
    case "Extremum": Extremum(try #require(Extremum.Kind(rawValue: text("kind"))))
    case "Power": Power()
    case "Atan2": Atan2()
    case "FloorDivide": FloorDivide()
    case "FloorModulo": FloorModulo()
    case "SquaredDifference": SquaredDifference()
    case "Compare": Compare(try #require(Compare.Relation(rawValue: text("kind"))))
    case "LogicalBinary": LogicalBinary(try #require(LogicalBinary.Connective(rawValue: text("kind"))))
    case "LogicalNot": LogicalNot()
    case "BitwiseXor": BitwiseXor()
    case "RightShift": RightShift()
    case "AddN": AddN()
    case "UnaryMath": UnaryMath(try #require(UnaryMath.Function(rawValue: text("kind"))))
    default: nil
    }
  }

  private func makeOther() throws -> (any Operation)? {
    switch operation {
    case "Relu": Relu(try #require(Relu.Interval(rawValue: text("kind"))))
    case "LeakyRelu": LeakyRelu(alpha: Float(number("alpha")))
    case "PRelu": PRelu()
    case "Elu": Elu()
    case "HardSwish": HardSwish()
    case "Logistic": Logistic()
    case "Tanh": Tanh()
    case "Gelu": Gelu(flag("approximate") ? .tanh : .exact)
    case "Quantize": Quantize()
    case "Dequantize": Dequantize()
    case "FakeQuantize":
      FakeQuantize(
        minimum: Float(number("minimum")), maximum: Float(number("maximum")),
        bitCount: Int(number("bitCount")), narrowRange: flag("narrowRange"))
    case "Softmax": Softmax(beta: Float(number("beta")))
    case "LogSoftmax": LogSoftmax()
    case "L2Normalization": L2Normalization()
    case "LocalResponseNormalization":
      LocalResponseNormalization(
        radius: Int(number("radius")), bias: Float(number("bias")), alpha: Float(number("alpha")),
        beta: Float(number("beta")))
    case "Pool2D": try makePool()
    case "Reduce":
      Reduce(try #require(Reduce.Kind(rawValue: text("kind"))), keepDimensions: flag("keepDimensions"))
    case "BatchMatMul":
      BatchMatMul(
        transposeA: flag("transposeA"), transposeB: flag("transposeB"),
        asymmetricQuantizeInputs: flag("asymmetricQuantizeInputs"))
    default: nil
    }
  }

  private func makePool() throws -> Pool2D {
    Pool2D(
      try #require(Pool2D.Kind(rawValue: text("kind"))), filterHeight: Int(number("filterHeight")),
      filterWidth: Int(number("filterWidth")), strideHeight: Int(number("strideHeight")),
      strideWidth: Int(number("strideWidth")), padding: text("padding") == "same" ? .same : .valid,
      activation: activation)
  }
}
