import TensorCore

/// The rule for the bounds of segments of rows: segment b is the rows bounds[b] ..< bounds[b + 1].
enum SegmentBounds {
  /// Refuses bounds that do not ascend, or leave 0 ... `rows`.
  static func check(_ bounds: UnsafeBufferPointer<Int32>, rows: Int) throws(ApusError) {
    var last: Int32 = 0
    for (index, bound) in bounds.enumerated() {
      guard bound >= last, bound <= rows else {
        throw ApusError(
          .argument, "segment bound \(index) is \(bound)", expected: "\(last) ... \(rows)")
      }
      last = bound
    }
  }
}
