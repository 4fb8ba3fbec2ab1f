import Foundation
import TensorCore

/// `x × Φ(x)`, where Φ is the distribution function of the normal distribution; float32, and quantized
/// int8, uint8 and int16.
package struct Gelu: Operation {
  /// Whether Φ is approximated by a hyperbolic tangent.
  package let approximate: Bool
  package var name: String { approximate ? "geluTanh" : "gelu" }

  package init(approximate: Bool) { self.approximate = approximate }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryOutput([.float32, .int8, .uint8, .int16])
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
      return Lowering(kernel, body: approximate ? Self.approximationBody : Self.exactBody)
    case .int16:
      let table = try InterpolationTable(input, context.result, real: function)
      return Lowering(kernel, body: table.body)
    default:
      let table = try ByteTable(input, context.result, real: function)
      return Lowering(kernel, body: table.body)
    }
  }

  private func function(_ x: Float) -> Float { approximate ? tanhGelu(x) : exactGelu(x) }

  private static let approximationBody: Lowering.Body = { arguments in
    arguments.map { $0.apply { (x: Float) -> Float in tanhGelu(x) } }
  }

  private static let exactBody: Lowering.Body = { arguments in
    arguments.map { $0.apply { (x: Float) -> Float in exactGelu(x) } }
  }
}

@inline(__always)
private func exactGelu(_ x: Float) -> Float {
  0.5 * x * Foundation.erfcf(x * -Float(0.5.squareRoot()))
}

@inline(__always)
private func tanhGelu(_ x: Float) -> Float {
  let rootOfTwoOverPi: Float = 0.797884560802865
  let cubic: Float = x + 0.044715 * x * x * x
  return 0.5 * x * (1 + Foundation.tanhf(rootOfTwoOverPi * cubic))
}
