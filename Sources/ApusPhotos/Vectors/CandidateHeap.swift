/// A row of a vector file that may be among the nearest.
package struct VectorCandidate: Sendable, Hashable {
  package let contentID: Int64
  package let row: Int32
  /// The approximate cosine with the query, computed in bytes.
  package let score: Float

  /// Whether it comes before another: by score, then by content, so that there is one order.
  func isBefore(_ other: VectorCandidate) -> Bool {
    if score != other.score { return score > other.score }
    return contentID != other.contentID ? contentID < other.contentID : row < other.row
  }
}

/// The best of many candidates: a heap with the last of them at its root.
struct CandidateHeap {
  private let capacity: Int
  private(set) var elements: [VectorCandidate] = []

  /// - Parameter capacity: at least 1.
  init(capacity: Int) {
    self.capacity = capacity
    elements.reserveCapacity(min(capacity, 4096))
  }

  /// The least score to consider.
  var threshold: Float { elements.count < capacity ? -.infinity : elements[0].score }

  mutating func add(_ candidate: VectorCandidate) {
    if elements.count < capacity {
      elements.append(candidate)
      siftUp()
    } else if candidate.isBefore(elements[0]) {
      elements[0] = candidate
      siftDown()
    }
  }

  private mutating func siftUp() {
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[parent].isBefore(elements[child]) else { return }
      elements.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var last = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < elements.count {
        if elements[last].isBefore(elements[child]) { last = child }
      }
      guard last != parent else { return }
      elements.swapAt(parent, last)
      parent = last
    }
  }
}
