/// Very long words, merged window by window.
///
/// Two laws hold for any list of pairs, since pairs are joined in order of rank and place and a pair sees its neighbours
/// alone. What is left of a word when pieces are taken off either end of its result is merged into the rest of that result.
/// And two results stand side by side unchanged in the result of the whole if the last piece of the first and the first of the
/// second do, of the two alone.
extension PairMerger {
  /// The pieces of words that are merged together.
  var windowSize: Int { max(leastWindow, 16 * longestPiece) }

  /// The pieces of a word that were not merged.
  struct Window {
    var ids: [Int32] = []
    /// How many have to be merged together before some are sure.
    var size = 0
  }

  /// Appends what pieces are merged into, as far as it is the same whatever follows. Once there are more than `limit`, the rest
  /// may be left out.
  /// - Parameter isLast: whether the word ends with the pieces.
  func merge(_ window: inout Window, isLast: Bool, limit: Int, to merged: inout [Int32]) {
    var next = 0
    var size = max(window.size, windowSize)
    while window.ids.count - next > size, merged.count <= limit {
      let (sure, count) = sureStart(of: Array(window.ids[next..<(next + size)]))
      merged += sure
      (next, size) = (next + count, count > 0 ? windowSize : 2 * size)
    }
    window.ids.removeFirst(next)
    window.size = size
    guard isLast, merged.count <= limit, !window.ids.isEmpty else { return }
    mergeLong(&window.ids, from: 0)
    merged += window.ids
  }

  /// What the start of a word is merged into, whatever follows.
  /// - Returns: the pieces, and of how many pieces of the word they are; 0 where that is not known.
  private func sureStart(of word: [Int32]) -> (merged: ArraySlice<Int32>, count: Int) {
    var merged = word
    let places = mergeLong(&merged, from: 0)
    let candidates = places.indices.reversed().lazy.filter { places[$0] <= word.count - 4 * longestPiece }
    for index in candidates.prefix(16) where index > 0 {
      let last = places[index - 1]..<places[index]
      if isSurePlace(in: word, behind: last) { return (merged[..<index], places[index]) }
    }
    return ([], 0)
  }

  /// Whether a piece of a merged word ends there in the whole, whatever follows.
  ///
  /// Somewhere in the last ``longestPiece`` places a piece of the whole begins or the word ends, and what is before it is
  /// merged as if it were alone. So it is enough that the piece stands unchanged beside the first one behind it for each of
  /// these places.
  private func isSurePlace(in word: [Int32], behind piece: Range<Int>) -> Bool {
    var known: Int?
    for end in (word.count - longestPiece + 1)...word.count {
      let length = firstLength(of: word[piece.upperBound..<end])
      if length == known { continue }
      var pair = Array(word[piece.lowerBound..<(piece.upperBound + length)])
      guard mergeLong(&pair, from: 0) == [0, piece.count] else { return false }
      known = length
    }
    return true
  }

  /// Of how many pieces the first one is joined.
  private func firstLength(of word: ArraySlice<Int32>) -> Int {
    var merged = Array(word)
    let places = mergeLong(&merged, from: 0)
    return places.count > 1 ? places[1] : word.count
  }
}
