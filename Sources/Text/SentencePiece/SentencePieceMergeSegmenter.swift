import TensorCore

/// The cut of a sentencepiece BPE model: from single characters on, of all adjacent pairs that together are
/// a piece, the one of the best score is merged, the leftmost of equals, until there is none
/// (Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units").
///
/// User-defined pieces are cut out before and never merged. Where no piece holds two adjacent characters
/// together, nothing is ever merged, and the stretches between such places are cut one by one.
package struct SentencePieceMergeSegmenter: TextSegmenter {
  /// Characters of a stretch, so that their numbers fit in 32 bits.
  static let longestStretch = 1 << 30

  let model: SentencePieceModel
  let userDefined: UserDefinedPieces
  /// The place of each piece's score among all scores, best first; equal scores share one.
  let ranks: [UInt32]
  let hasUnusedPieces: Bool
  private let neighbours: NeighbourSet

  package init(_ model: SentencePieceModel, userDefined: UserDefinedPieces) {
    self.model = model
    self.userDefined = userDefined
    ranks = Self.ranks(of: model.scores)
    hasUnusedPieces = model.types.contains(.unused)
    neighbours = NeighbourSet(of: model.pieces)
  }

  private static func ranks(of scores: [Float]) -> [UInt32] {
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    var ranks = [UInt32](repeating: 0, count: scores.count)
    for (earlier, later) in zip(order, order.dropFirst()) {
      ranks[later] = ranks[earlier] + (scores[later] < scores[earlier] ? 1 : 0)
    }
    return ranks
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    var segments: [TextSegment] = []
    segments.reserveCapacity(text.count / 3 + 1)
    var merging = SentencePieceMerging(self, text)
    var at = text.startIndex
    while at < text.endIndex {
      let frozen = userDefined.longestMatch(text[at...])
      let length = frozen ?? UTF8Bytes.length(lead: text[at])
      let end = min(at + length, text.endIndex)
      if mayCut(text, before: at, merging) { merging.finish(into: &segments) }
      merging.append(at..<end, isFrozen: frozen != nil)
      at = end
    }
    merging.finish(into: &segments)
    return segments
  }

  /// Whether nothing can be merged across an offset.
  private func mayCut(_ text: ArraySlice<UInt8>, before at: Int, _ merging: borrowing SentencePieceMerging)
    -> Bool
  {
    // What an unused piece is cut into again depends on all merges of the text.
    if hasUnusedPieces { return merging.count >= Self.longestStretch }
    return at == text.startIndex || !neighbours.mayContain(text, at) || merging.count >= Self.longestStretch
  }
}
