import TensorCore

/// The bounds of an attention's segments in one run: ascending, and within the rows there are.
struct AttentionSegments {
  private let queryBounds: UnsafeBufferPointer<Int32>
  private let keyBounds: UnsafeBufferPointer<Int32>

  /// - Throws: ``ApusError`` naming the first bound that is out of order.
  init(_ arguments: borrowing KernelArguments, queryRows: Int, keyRows: Int) throws(ApusError) {
    queryBounds = arguments.input(3, as: Int32.self)
    keyBounds = arguments.input(4, as: Int32.self)
    do {
      try SegmentBounds.check(queryBounds, rows: queryRows)
    } catch {
      throw error.at("queries")
    }
    do {
      try SegmentBounds.check(keyBounds, rows: keyRows)
    } catch {
      throw error.at("keys")
    }
  }

  /// Their number.
  var count: Int { queryBounds.count - 1 }

  func queries(_ segment: Int) -> Range<Int> { Int(queryBounds[segment])..<Int(queryBounds[segment + 1]) }
  func keys(_ segment: Int) -> Range<Int> { Int(keyBounds[segment])..<Int(keyBounds[segment + 1]) }

  /// Refuses a segment that is longer than what a mask says of it.
  /// - Parameter queries: positions of queries in the mask; nil where one row stands for all.
  func requireLengths(queries: Int?, keys: Int) throws(ApusError) {
    for segment in 0..<count {
      let found = (self.queries(segment).count, self.keys(segment).count)
      guard found.0 <= queries ?? .max, found.1 <= keys else {
        throw ApusError(
          .argument, "segment \(segment) has \(found.0) queries and \(found.1) keys",
          expected: "at most the mask's \(queries.map { "\($0) queries and " } ?? "")\(keys) keys")
      }
    }
  }

  /// Refuses a segment with more queries than keys, of which the last would be out of reach of all keys.
  func requireNoMoreQueriesThanKeys() throws(ApusError) {
    for segment in 0..<count {
      let found = (self.queries(segment).count, self.keys(segment).count)
      guard found.1 == 0 || found.0 <= found.1 else {
        throw ApusError(
          .argument, "segment \(segment) has \(found.0) queries and \(found.1) keys",
          expected: "no more queries than keys, as there is a window")
      }
    }
  }

  /// The rows of queries in any segment.
  var allQueries: Range<Int> { Int(queryBounds[0])..<Int(queryBounds[count]) }
}
