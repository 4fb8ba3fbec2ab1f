import Kernels
import TensorCore

/// The square of the difference of two tensors that broadcast.
///
/// float32, int32 and int64 (which wrap) and quantized int8. Source of the integer rule: TFLite's
/// `SquaredDifference`.
package struct SquaredDifference: Operation {
  package var name: String { "squaredDifference" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let shape = try operands.binaryShape([.float32, .int32, .int64, .int8])
    let (first, second) = (try operands.input(0), try operands.input(1))
    let result = try operands.output(shape, of: first.dataType)
    if first.dataType == .int8 { _ = try QuantizedSquaredDifference(first, second, result) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (first, second) = (try context.operands.input(0), try context.operands.input(1))
    let plan = try BroadcastPlan(first.shape, second.shape)
    let kernel = "\(name) \(first.dataType.rawValue)"
    switch first.dataType {
    case .float32:
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (a: Float, b: Float) -> Float in (a - b) * (a - b) } }
      }
    case .int32:
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (a: Int32, b: Int32) -> Int32 in (a &- b) &* (a &- b) } }
      }
    case .int64:
      return Lowering(kernel) {
        $0.broadcast(plan) { $0.combine { (a: Int64, b: Int64) -> Int64 in (a &- b) &* (a &- b) } }
      }
    default:
      let function = try QuantizedSquaredDifference(first, second, context.result)
      return Lowering(kernel) {
        $0.broadcast(plan) {
          $0.combine { (a: Int8, b: Int8) -> Int8 in
            Int8(truncatingIfNeeded: function(Int32(a), Int32(b)))
          }
        }
      }
    }
  }
}

/// What squaring the difference of two quantized tensors takes.
private struct QuantizedSquaredDifference: Sendable {
  let firstOffset: Int32
  let secondOffset: Int32
  let first: FixedPointMultiplier
  let second: FixedPointMultiplier
  let output: FixedPointMultiplier
  let outputOffset: Int32

  init(_ first: TensorType, _ second: TensorType, _ result: TensorType) throws(ApusError) {
    let one = try first.uniformQuantization("input 0")
    let two = try second.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    let twiceLarger = Double(2 * max(one.scale, two.scale))
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    self.first = FixedPointMultiplier(Double(one.scale) / twiceLarger)
    self.second = FixedPointMultiplier(Double(two.scale) / twiceLarger)
    output = FixedPointMultiplier(twiceLarger * twiceLarger / Double(Float(1 << 14) * out.scale))
    outputOffset = out.zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let difference =
      first.apply((a &+ firstOffset) &<< 7) &- second.apply((b &+ secondOffset) &<< 7)
    return min(127, max(-128, output.apply(difference &* difference) &+ outputOffset))
  }
}
