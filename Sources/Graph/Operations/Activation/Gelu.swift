import CIntrinsics
import CLibrary
import TensorCore

/// How the distribution function Φ of the normal distribution is computed in ``Gelu``.
package enum GeluForm: String, Sendable, CaseIterable {
  /// `(1 + erf(x / √2)) / 2`
  case exact
  /// `(1 + tanh(√(2/π) · (x + 0.044715·x³))) / 2`
  case tanh
  /// `1 / (1 + e^(−1.702·x))`, the "quick GELU" of CLIP.
  case sigmoid

  /// The number by which the vector kernels know it.
  var vectorFunction: Int32 {
    switch self {
    case .exact: APUS_GELU_EXACT
    case .tanh: APUS_GELU_TANH
    case .sigmoid: APUS_GELU_SIGMOID
    }
  }
}

/// `x × Φ(x)`, where Φ is the distribution function of the normal distribution or an approximation of it;
/// float32, and quantized int8, uint8 and int16. Source: Hendrycks and Gimpel 2016.
package struct Gelu: Operation {
  package let form: GeluForm
  package var name: String {
    switch form {
    case .exact: "gelu"
    case .tanh: "geluTanh"
    case .sigmoid: "geluSigmoid"
    }
  }

  package init(_ form: GeluForm) { self.form = form }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8, .int16])
    if result.dataType != .float32 {
      _ = try operands.input(0).uniformQuantization("the input")
      _ = try result.uniformQuantization("the result")
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    switch input.dataType {
    case .float32:
      return VectorMap.lowering(kernel, form.vectorFunction, context.kernels)
    case .int16:
      let table = try InterpolationTable(input, context.result, real: function)
      return Lowering(kernel, body: table.body)
    default:
      let table = try ByteTable(input, context.result, real: function)
      return Lowering(kernel, body: table.body(context.kernels))
    }
  }

  private func function(_ x: Float) -> Float {
    switch form {
    case .exact: exactGelu(x)
    case .tanh: tanhGelu(x)
    case .sigmoid: sigmoidGelu(x)
    }
  }
}

@inline(__always)
private func exactGelu(_ x: Float) -> Float {
  0.5 * x * CLibrary.erfcf(x * -Float(0.5.squareRoot()))
}

@inline(__always)
private func tanhGelu(_ x: Float) -> Float {
  let rootOfTwoOverPi: Float = 0.797884560802865
  let cubic: Float = x + 0.044715 * x * x * x
  return 0.5 * x * (1 + CLibrary.tanhf(rootOfTwoOverPi * cubic))
}

@inline(__always)
private func sigmoidGelu(_ x: Float) -> Float { x / (1 + CLibrary.expf(-1.702 * x)) }
