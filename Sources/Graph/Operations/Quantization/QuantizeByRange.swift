import CIntrinsics
import Kernels
import TensorCore

/// Numbers of float32 as unsigned bytes over their range, which includes 0.
///
/// Results: the bytes, the scale, float32 [], and the zero point, uint8 []. The scale is (most − least) / 255, the zero point
/// −least / scale and a byte x / scale more than it, both rounded to nearest with halves to even and limited to 0…255. Of
/// nothing but zeros the scale is 0, and every byte too.
///
/// Source: the operator DynamicQuantizeLinear of ONNX.
package struct QuantizeByRange: Operation {
  package var name: String { "quantizeByRange" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0, of: [.float32]).shape
    return [TensorType(.uint8, shape), TensorType(.float32, .scalar), TensorType(.uint8, .scalar)]
  }

  /// Numbers that are worth a piece of work of their own.
  private static let grain = 1 << 14

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let count = try context.operands.input(0).shape.elementCount
    let (range, quantize) = (context.kernels.integer.range, context.kernels.integer.quantizeEven)
    let pieces = max(1, (count + Self.grain - 1) / Self.grain)
    return Lowering(
      "\(name) \(context.kernels.choice[.integer])", scratchByteCount: 2 * 4 * pieces
    ) { arguments in
      guard let x = arguments.inputAddress(0) else { return }
      let ends = arguments.scratch.bindMemory(to: Float.self, capacity: 2 * pieces)
      func piece(_ index: Int) -> (start: Int, count: Int) {
        (index * Self.grain, min(count - index * Self.grain, Self.grain))
      }
      arguments.parallel(pieces, grain: 1) { indices in
        for index in indices {
          let (start, count) = piece(index)
          ends[2 * index] = 0
          ends[2 * index + 1] = 0
          if count > 0 { range(x + 4 * start, count, ends + 2 * index) }
        }
      }
      var (least, most) = (Float(0), Float(0))
      for index in 0..<pieces {
        least = ends[2 * index] < least ? ends[2 * index] : least
        most = ends[2 * index + 1] > most ? ends[2 * index + 1] : most
      }
      let scale = (most - least) / 255
      // Of nothing but zeros every byte is 0.
      let divisor = scale == 0 ? 1 : scale
      let point = (-least / divisor).rounded(.toNearestOrEven)
      let zero = UInt8(point > 0 ? min(point, 255) : 0)
      let bytes = arguments.outputAddress(0)
      arguments.output(1, as: Float.self)[0] = scale
      arguments.output(2, as: UInt8.self)[0] = zero
      arguments.parallel(pieces, grain: 1) { indices in
        for index in indices {
          let (start, count) = piece(index)
          if count > 0 { quantize(x + 4 * start, bytes + start, count, divisor, Int32(zero), false) }
        }
      }
    }
  }
}
