import Kernels
import TensorCore

/// The mean of consecutive rows for each segment: the pooling of a ragged batch of texts.
///
/// Operands: x float32 [T, W], segments int32 [B + 1]. Result: float32 [B, W], row b the mean of the rows
/// segments[b] ..< segments[b + 1] of x; zeros when there are none. Segments that do not ascend, or leave
/// 0 ... T, make the run throw.
package struct SegmentMean: Operation {
  package var name: String { "segmentMean" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let rows = try operands.input(0, of: [.float32], rank: 2).shape
    let bounds = try operands.input(1, "the segments", of: [.int32], rank: 1)
    guard bounds.shape[0] > 0 else {
      throw ApusError(
        .malformedModel, "\(Operands.place(1, "the segments")) has shape \(bounds.shape)",
        expected: "one number more than there are segments")
    }
    return [try operands.result(Shape([bounds.shape[0] - 1, rows[1]]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let rows = try context.operands.input(0).shape
    let (count, width) = (rows[0], rows[1])
    let kernels = context.kernels
    return Lowering("\(name) float32 \(kernels.choice[.float])") { arguments throws(ApusError) in
      let bounds = arguments.input(1, as: Int32.self)
      try SegmentBounds.check(bounds, rows: count)
      guard let source = arguments.inputAddress(0) else { return }
      let result = arguments.outputAddress(0)
      let segments = max(bounds.count - 1, 1)
      // About a nanosecond for each vector.
      let nanoseconds = (count / segments + 1) * (width / kernels.float.lanes + 1)
      ThreadPool.shared.parallel(
        count: bounds.count - 1, nanosecondsPerItem: nanoseconds, threads: arguments.threads
      ) { range, _ in
        for segment in range {
          let (start, end) = (Int(bounds[segment]), Int(bounds[segment + 1]))
          kernels.float.meanOfRows(
            source + 4 * width * start, result + 4 * width * segment, 4 * width, end - start, width)
        }
      }
    }
  }
}
