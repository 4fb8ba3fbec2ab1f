import CIntrinsics
import Kernels
import TensorCore

/// `x / (1 + e⁻ˣ)`, x times its logistic; float32, and quantized int8 and uint8.
///
/// Source of the name: Ramachandran et al. 2017, "Searching for Activation Functions".
package struct Swish: Operation {
  /// How the logistic of quantized numbers is stored before it is multiplied, which rounds it; nil of float32.
  package let gate: Quantization?
  /// A clamp of the result, of quantized numbers alone.
  package let activation: Activation
  package var name: String { "swish" }

  package init(gate: Quantization? = nil, activation: Activation = .none) {
    self.gate = gate
    self.activation = activation
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8])
    if result.dataType != .float32 { _ = try table(operands.input(0), result) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if input.dataType == .float32 { return VectorMap.lowering(kernel, APUS_SWISH, context.kernels) }
    return Lowering(kernel, body: try table(input, context.result).body(context.kernels))
  }

  private func table(_ input: TensorType, _ result: TensorType) throws(ApusError) -> ByteTable {
    let gate = TensorType(input.dataType, input.shape, quantization: gate)
    let logistic = try Logistic.table(input, gate)
    let product = try QuantizedProduct(input, gate, result, activation)
    return ByteTable(input.dataType) { product($0, logistic.stored($0)) }
  }
}
