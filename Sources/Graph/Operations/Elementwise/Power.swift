import CLibrary
import TensorCore

/// The first of two tensors that broadcast raised to the second; float32 and int32.
///
/// Integer powers are computed in double precision; what does not fit 32 bits becomes the least integer.
package struct Power: BinaryMath {
  package var name: String { "power" }
  package var types: [DataType] { [.float32, .int32] }

  package init() {}

  package func floatBody(_ plan: BroadcastPlan) -> Lowering.Body {
    return { $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in CLibrary.powf(a, b) } } }
  }

  package func integerBody(_ plan: BroadcastPlan, _: DataType) -> Lowering.Body {
    return {
      $0.broadcast(plan) {
        $0.combine { (a: Int32, b: Int32) -> Int32 in
          Int32(wholeOf: CLibrary.pow(Double(a), Double(b)))
        }
      }
    }
  }
}
