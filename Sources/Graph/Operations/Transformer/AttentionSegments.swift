import TensorCore

/// The bounds of an attention's segments in one run: ascending, and within the rows there are.
struct AttentionSegments {
  private let queryBounds: UnsafeBufferPointer<Int32>
  private let keyBounds: UnsafeBufferPointer<Int32>

  /// - Throws: ``ApusError`` naming the first bound that is out of order.
  init(
    _ arguments: borrowing KernelArguments, queryRows: Int, keyRows: Int
  ) throws(ApusError) {
    queryBounds = arguments.input(3, as: Int32.self)
    keyBounds = arguments.input(4, as: Int32.self)
    try Self.check(queryBounds, rows: queryRows, "query")
    try Self.check(keyBounds, rows: keyRows, "key")
  }

  var count: Int { queryBounds.count - 1 }

  func queries(_ segment: Int) -> Range<Int> { Int(queryBounds[segment])..<Int(queryBounds[segment + 1]) }
  func keys(_ segment: Int) -> Range<Int> { Int(keyBounds[segment])..<Int(keyBounds[segment + 1]) }

  private static func check(
    _ bounds: UnsafeBufferPointer<Int32>, rows: Int, _ role: String
  ) throws(ApusError) {
    var lowest = 0
    for (index, bound) in bounds.enumerated() {
      guard Int(bound) >= lowest, Int(bound) <= rows else {
        throw ApusError(
          .argument, "bound \(index) of the \(role) segments is \(bound)", expected: "\(lowest) to \(rows)")
      }
      lowest = Int(bound)
    }
  }
}
