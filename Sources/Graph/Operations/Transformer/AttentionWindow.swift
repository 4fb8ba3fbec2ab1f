import TensorCore

/// Which keys the queries of an ``Attention`` with a window see, piece of work by piece of work.
///
/// Pieces begin at positions that follow from the window alone, so that what a query gives depends neither on the batch
/// nor on the number of threads.
struct AttentionWindow: Sendable {
  /// How far from its query a key is seen.
  let reach: Int
  /// Queries of one piece of work.
  let queriesPerPart: Int

  /// - Parameter keys: rows of keys, of all segments together.
  /// - Returns: nil where no key is out of reach.
  init?(_ reach: Int?, keys: Int) {
    guard let reach, reach >= 0, reach < keys - 1 else { return nil }
    self.reach = reach
    // Few, because each sees keys that only others of its piece need; but not so few that keys are packed for next to
    // none. 128 and 64 on both sides make 256 keys, which kernels take as one block.
    queriesPerPart = reach <= 64 ? 128 : reach <= 256 ? 256 : 1024
  }

  /// The keys that any of these queries sees, both counted in their segment.
  func keys(of queries: Range<Int>, among count: Int) -> Range<Int> {
    let first = min(max(0, queries.lowerBound - reach), count)
    return first..<max(first, min(count, queries.upperBound + reach))
  }

  /// Whether some query of a segment with so many keys does not see all of them.
  func hides(keys: Int) -> Bool { keys - 1 > reach }

  /// The greatest distance of a query and a key of one piece, of which the mask has numbers.
  private var farthest: Int { queriesPerPart + reach }

  /// What is added to scaled products by the distance of query and key, from ``farthest`` before the query to as far
  /// behind it.
  func mask() throws(ApusError) -> TensorStorage {
    try TensorStorage(
      copying: (-farthest...farthest).map { abs($0) <= reach ? Float(0) : -Float.infinity })
  }

  /// The element of the mask for a query and a key; for the next query it is one before, for the next key one behind.
  func element(query: Int, key: Int) -> Int { farthest + key - query }
}
