import Foundation
import TensorCore

/// The first of two tensors that broadcast raised to the second; float32 and int32.
///
/// Integer powers are computed in double precision; what does not fit 32 bits becomes the least integer.
package struct Power: Operation {
  package var name: String { "power" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let shape = try operands.binaryShape([.float32, .int32])
    return [try operands.output(shape, of: try operands.input(0).dataType)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    if first.dataType == .float32 {
      return Lowering("power float32") {
        $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in Foundation.powf(a, b) } }
      }
    }
    return Lowering("power int32") {
      $0.broadcast(plan) {
        $0.combine { (a: Int32, b: Int32) -> Int32 in
          Int32(wholeOf: Foundation.pow(Double(a), Double(b)))
        }
      }
    }
  }
}
