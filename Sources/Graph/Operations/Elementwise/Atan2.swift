import Foundation
import TensorCore

/// The angle of the point (x, y), given y and x; two float32 tensors that broadcast.
package struct Atan2: Operation {
  package var name: String { "atan2" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    [try operands.output(try operands.binaryShape([.float32]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let plan = try BroadcastPlan(try context.operands.input(0).shape, try context.operands.input(1).shape)
    return Lowering("atan2 float32") {
      $0.broadcast(plan) { $0.combine { (y: Float, x: Float) -> Float in Foundation.atan2f(y, x) } }
    }
  }
}
