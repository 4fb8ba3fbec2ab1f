import TensorCore

/// Slices of operand 0 combined by segments: operand 1 has the number of each slice's segment, operand 2 how many
/// segments there are. The shape of operand 1 is the beginning of operand 0's, all of which is one slice where
/// operand 1 is a scalar; the result is [segments] + the rest.
///
/// Slices combine in their order in memory; int32 wraps. Those with a negative number belong to no segment. A
/// segment without slices is 0 as a sum, and 1 as a product. A maximum is never below the least finite number, and a
/// minimum never above the greatest: these stand for a segment without slices, and for one with nothing but such
/// infinities or NaN. A run with a number beyond the last segment throws; slices without any segment are refused.
package struct UnsortedSegment: Operation {
  package enum Kind: String, Sendable { case sum, product, max, min }

  package let kind: Kind
  package var name: String {
    "unsortedSegment" + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
  }

  package init(_ kind: Kind) { self.kind = kind }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    let data = try operands.input(0, of: SegmentReduction.types).shape
    let segments = try operands.input(1, "the segments", of: [.int32]).shape
    let count = try operands.requireInteger(2, "the number of segments")
    guard count >= 0, Array(data.dimensions.prefix(segments.rank)) == segments.dimensions else {
      throw ApusError(
        .malformedModel, "\(count) segments of shape \(segments) for shape \(data)",
        expected: "0 or more, and the beginning of that shape")
    }
    // Nothing runs where the result has no elements, so that no number of a slice would be looked at.
    guard count > 0 || segments.elementCount == 0 else {
      throw ApusError(
        .malformedModel, "0 segments for \(segments.elementCount) slices", expected: "at least one")
    }
    return [try operands.result(Shape([count] + data.dimensions[segments.rank...]), like: 0).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try SegmentReduction.lowering(kind, context)
  }
}
