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
    try operands.requireType(0, [.float32])
    let rows = try operands.input(0, rank: 2).shape
    let bounds = try operands.input(1, "the segments", of: [.int32])
    guard bounds.shape.rank == 1, bounds.shape[0] > 0 else {
      throw ApusError(
        .malformedModel, "the segments (input 1) have shape \(bounds.shape)",
        expected: "a vector of one number more than there are segments")
    }
    return [try operands.output(Shape([bounds.shape[0] - 1, rows[1]]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let rows = try context.operands.input(0).shape
    let (count, width) = (rows[0], rows[1])
    return Lowering("\(name) float32") { arguments throws(ApusError) in
      let bounds = arguments.input(1, as: Int32.self)
      try SegmentBounds.check(bounds, rows: count)
      let source = arguments.input(0, as: Float.self)
      let result = arguments.output(0, as: Float.self)
      for segment in 0..<(bounds.count - 1) {
        let range = Int(bounds[segment])..<Int(bounds[segment + 1])
        for column in 0..<width {
          var sum = 0.0
          for row in range { sum += Double(source[row * width + column]) }
          result[segment * width + column] = Float(sum / Double(max(range.count, 1)))
        }
      }
    }
  }
}
