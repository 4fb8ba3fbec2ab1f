import CLibrary
import TensorCore

/// A number, or `eˣ − 1` when it is negative; float32 and quantized int8.
package struct Elu: Operation {
  package var name: String { "elu" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8])
    if result.dataType == .int8 {
      _ = try operands.input(0).uniformQuantization("the input")
      _ = try result.uniformQuantization("the result")
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    if input.dataType == .float32 {
      return Lowering("elu float32") { $0.map { $0.apply { (x: Float) -> Float in Self.value(x) } } }
    }
    let table = try ByteTable(input, context.result) { Self.value($0) }
    return Lowering("elu int8", body: table.body(context.kernels))
  }

  @inline(__always)
  private static func value(_ x: Float) -> Float { x < 0 ? CLibrary.expm1f(x) : x }
}
