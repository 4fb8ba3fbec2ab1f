import Kernels
import TensorCore

/// A function of the numbers that bytes stand for, as a table of 256 bytes by the operand's bits.
///
/// Operand and result are int8 or uint8; the result has the type that is declared, else the operand's.
package struct ByteFunction: Operation {
  private let values: [UInt8]
  package var name: String { "byteFunction" }

  /// - Parameter values: the results, by the bits of the operand: 256.
  package init(_ values: [UInt8]) { self.values = values }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: [.int8, .uint8])
    guard values.count == 256 else {
      throw ApusError(.malformedModel, "a table of \(values.count) bytes", expected: "256")
    }
    let result = try operands.declaredResult(input.shape)
    guard result.dataType == .int8 || result.dataType == .uint8 else {
      throw .unsupportedType(result.dataType)
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    Lowering(
      "\(name) \(context.kernels.choice[.integer])",
      body: ByteTable(patterns: values).fastestBody(context.kernels))
  }
}
