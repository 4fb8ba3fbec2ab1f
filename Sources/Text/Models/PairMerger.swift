/// Joins neighbours in a word, the pair of lowest rank first and from the left, until no pair is left to join.
struct PairMerger: Sendable {
  let merges: MergeTable
  /// The pieces of a word that one piece can be joined of, at most.
  let longestPiece: Int
  /// The pieces of words that are merged together, at least.
  var leastWindow = 1 << 16

  /// Words up to so many pieces are searched again after each step; longer ones keep a queue.
  private static let shortWord = 32

  /// Merges the pieces from `start` on in place.
  func merge(_ ids: inout [Int32], from start: Int) {
    let count = ids.count - start
    guard count > 1 else { return }
    if count <= Self.shortWord {
      mergeShort(&ids, from: start)
    } else if count <= windowSize {
      mergeLong(&ids, from: start)
    } else {
      var window = Window(ids: Array(ids[start...]))
      ids.removeSubrange(start...)
      merge(&window, isLast: true, limit: .max, to: &ids)
    }
  }

  private func mergeShort(_ ids: inout [Int32], from start: Int) {
    var count = ids.count - start
    // The result of joining each piece with its right neighbour.
    var results = InlineArray<32, UInt64>(repeating: MergeTable.none)
    for index in 0..<(count - 1) {
      results[index] = merges.result(ids[start + index], ids[start + index + 1])
    }
    while count > 1 {
      var best = MergeTable.none
      var place = 0
      for index in 0..<(count - 1) where results[index] < best {
        best = results[index]
        place = index
      }
      guard best != MergeTable.none else { break }
      ids[start + place] = Int32(truncatingIfNeeded: best)
      count -= 1
      for index in (place + 1)..<max(place + 1, count) {
        ids[start + index] = ids[start + index + 1]
        results[index] = results[index + 1]
      }
      if place > 0 { results[place - 1] = merges.result(ids[start + place - 1], ids[start + place]) }
      results[place] =
        place + 1 < count ? merges.result(ids[start + place], ids[start + place + 1]) : MergeTable.none
    }
    ids.removeSubrange((start + count)...)
  }
}

extension PairMerger {
  /// A pair that may be joined: in order of rank, then of place.
  private struct Candidate: Comparable {
    let result: UInt64
    let place: Int

    static func < (left: Candidate, right: Candidate) -> Bool {
      (left.result >> 32, left.place) < (right.result >> 32, right.place)
    }
  }

  /// - Returns: where each piece that is left began, counted from `start`.
  @discardableResult
  func mergeLong(_ ids: inout [Int32], from start: Int) -> [Int] {
    let count = ids.count - start
    var queue = MinimumQueue<Candidate>()
    for place in 0..<(count - 1) {
      let result = merges.result(ids[start + place], ids[start + place + 1])
      if result != MergeTable.none { queue.appendUnordered(Candidate(result: result, place: place)) }
    }
    queue.order()
    // Neighbours of each piece that is left; a piece that was joined to its left neighbour has none.
    var next = Array(1...count)
    var previous = Array(-1..<(count - 1))
    let joined = -2
    func propose(_ left: Int, _ right: Int, _ ids: [Int32]) {
      let result = merges.result(ids[start + left], ids[start + right])
      if result != MergeTable.none { queue.insert(Candidate(result: result, place: left)) }
    }
    while let best = queue.removeMinimum() {
      let place = best.place
      guard next[place] != joined, next[place] < count else { continue }
      let right = next[place]
      // A pair that has changed since it was queued is only joined if it makes the same piece.
      let current = merges.result(ids[start + place], ids[start + right])
      guard current != MergeTable.none,
        UInt32(truncatingIfNeeded: current) == UInt32(truncatingIfNeeded: best.result)
      else { continue }
      ids[start + place] = Int32(truncatingIfNeeded: best.result)
      next[place] = next[right]
      next[right] = joined
      if next[place] < count { previous[next[place]] = place }
      if previous[place] >= 0 { propose(previous[place], place, ids) }
      if next[place] < count { propose(place, next[place], ids) }
    }
    let places = (0..<count).filter { next[$0] != joined }
    for (index, place) in places.enumerated() { ids[start + index] = ids[start + place] }
    ids.removeSubrange((start + places.count)...)
    return places
  }
}
