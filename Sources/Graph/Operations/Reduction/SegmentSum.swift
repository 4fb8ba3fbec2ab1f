import TensorCore

/// The sums of slices of operand 0 along its first axis whose numbers in operand 1 are the same. These begin with 0 and go
/// up by 1 at most, and have to be known, as they say how many sums there are.
package struct SegmentSum: Operation {
  package var name: String { "segmentSum" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let data = try operands.input(0, of: SegmentReduction.types).shape
    let count = try operands.input(1, "the segments", of: [.int32], rank: 1).shape[0]
    guard data.dimensions.first == count else {
      throw ApusError(.malformedModel, "\(count) segments for shape \(data)", expected: "one for each slice")
    }
    var last = -1
    for segment in try operands.requireIntegers(1, "the segments") {
      guard segment == last + 1 || segment == last, segment >= 0 else {
        throw ApusError(
          .malformedModel, "segment \(segment) after \(last)", expected: "0 first, and then steps of 0 or 1")
      }
      last = segment
    }
    return [try operands.result(Shape([last + 1] + data.dimensions.dropFirst()), like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try SegmentReduction.lowering(.sum, context)
  }
}
