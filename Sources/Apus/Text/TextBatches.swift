/// Divides sequences of tokens into batches, so that a run is long enough to use the processor well and short
/// enough for its intermediate results to stay in the cache.
struct TextBatches: Sequence {
  /// For each batch the positions of its sequences.
  private let batches: [[Int]]

  /// - Parameters:
  ///   - lengths: tokens in each sequence.
  ///   - budget: tokens of a batch of more than one sequence, at most.
  init(lengths: [Int], budget: Int) {
    // Like lengths come together, so that the same shapes come again.
    let order = lengths.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    var batches: [[Int]] = []
    var tokens = 0
    for index in order {
      if batches.isEmpty || tokens + lengths[index] > budget {
        batches.append([])
        tokens = 0
      }
      batches[batches.count - 1].append(index)
      tokens += lengths[index]
    }
    self.batches = batches
  }

  func makeIterator() -> IndexingIterator<[[Int]]> { batches.makeIterator() }
}
