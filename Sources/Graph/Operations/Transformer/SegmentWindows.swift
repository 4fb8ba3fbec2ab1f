import Kernels
import TensorCore

/// Each row with its neighbours in its segment side by side: what a convolution over a ragged batch of texts multiplies.
///
/// Operands: x float32 [T, W], segments int32 [B + 1]. Result: float32 [T, size · W]: row t has the rows t − ⌊size / 2⌋ to
/// t + ⌊size / 2⌋, zeros in place of those that its segment does not have; rows of no segment are zero. Segments that do
/// not ascend, or leave 0 ... T, make the run throw.
package struct SegmentWindows: Operation {
  /// Rows side by side, an odd number.
  package let size: Int
  package var name: String { "segmentWindows" }

  package init(size: Int) { self.size = size }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    let bounds = try operands.input(1, "the segments", of: [.int32], rank: 1).shape
    guard bounds[0] > 0 else {
      throw ApusError(
        .malformedModel, "\(Operands.place(1, "the segments")) has shape \(bounds)",
        expected: "one number more than there are segments")
    }
    guard size > 0, size % 2 == 1 else {
      throw ApusError(.malformedModel, "windows of \(size) rows", expected: "an odd number of them")
    }
    return [try operands.result(Shape([rows[0], [size, rows[1]].saturatingProduct]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let (count, width, size) = (shape[0], shape[1], size)
    return Lowering(name) { arguments throws(ApusError) in
      let bounds = arguments.input(1, as: Int32.self)
      try SegmentBounds.check(bounds, rows: count)
      guard let source = arguments.input(0, as: Float.self).baseAddress,
        let result = arguments.output(0, as: Float.self).baseAddress
      else { return }
      result.initialize(repeating: 0, count: count * size * width)
      ThreadPool.shared.parallel(
        count: bounds.count - 1, nanosecondsPerItem: count * size * width / 8 / max(1, bounds.count - 1),
        threads: arguments.threads
      ) { range, _ in
        for segment in range {
          let rows = Int(bounds[segment])..<Int(bounds[segment + 1])
          for row in rows {
            for place in 0..<size where rows.contains(row + place - size / 2) {
              (result + (row * size + place) * width).update(
                from: source + (row + place - size / 2) * width, count: width)
            }
          }
        }
      }
    }
  }
}
