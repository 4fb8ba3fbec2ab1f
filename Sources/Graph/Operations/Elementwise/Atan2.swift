import CLibrary
import TensorCore

/// The angle of the point (x, y), given y and x; two float32 tensors that broadcast.
package struct Atan2: BinaryMath {
  package var name: String { "atan2" }
  package var types: [DataType] { [.float32] }

  package init() {}

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return { $0.broadcast(plan) { $0.combine { (y: Float, x: Float) -> Float in CLibrary.atan2f(y, x) } } }
  }
}
