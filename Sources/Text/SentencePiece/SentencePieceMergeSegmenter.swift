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

  private let model: SentencePieceModel
  private let userDefined: UserDefinedPieces
  /// The place of each piece's score among all scores, best first; equal scores share one.
  private let ranks: [UInt32]
  /// For each id whether the piece is unused; empty when none is.
  private let unused: [Bool]
  private let neighbours: NeighbourSet
  /// Whether a piece of text is also a reserved piece, which then counts instead.
  private let hasReservedTwins: Bool

  package init(_ model: SentencePieceModel, userDefined: UserDefinedPieces) {
    self.model = model
    self.userDefined = userDefined
    ranks = Self.ranks(of: model.scores)
    unused = model.types.contains(.unused) ? model.types.map { $0 == .unused } : []
    neighbours = NeighbourSet(of: model.pieces)
    hasReservedTwins = (0..<model.pieces.count).contains { id in
      let isText = [.normal, .userDefined, .unused].contains(model.types[id])
      return isText && model.id(of: model.pieces[id]) != Int32(id)
    }
  }

  private static func ranks(of scores: [Float]) -> [UInt32] {
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    var ranks = [UInt32](repeating: 0, count: scores.count)
    for (earlier, later) in zip(order, order.dropFirst()) {
      ranks[later] = ranks[earlier] + (scores[later] < scores[earlier] ? 1 : 0)
    }
    return ranks
  }

  package func cut(in text: [UInt8]) -> Int {
    guard unused.isEmpty else { return 0 }
    return text.indices.dropFirst().last {
      text[$0] & 0xC0 != 0x80 && !neighbours.mayContain(text[...], $0)
    } ?? 0
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    var segments: [TextSegment] = []
    segments.reserveCapacity(text.count / 3 + 1)
    var merging = SentencePieceMerging(text, pieces: model.textPieces, ranks: ranks, unused: unused)
    var at = text.startIndex
    while at < text.endIndex {
      let byte = text[at]
      let frozen = userDefined.hasPiece(startingWith: byte) ? userDefined.longestMatch(text[at...]) : nil
      let end = min(at + (frozen ?? UTF8Bytes.length(lead: byte)), text.endIndex)
      // What an unused piece is cut into again depends on all merges of the text, so it stays whole.
      if merging.count >= Self.longestStretch || (unused.isEmpty && !neighbours.mayContain(text, at)) {
        append(merging.finish(), text, to: &segments)
      }
      merging.append(at..<end, isFrozen: frozen != nil)
      at = end
    }
    append(merging.finish(), text, to: &segments)
    return segments
  }

  /// Appends the pieces of a stretch. The reserved ones, such as `</s>`, count before those of text.
  private func append(_ stretch: [TextSegment], _ text: ArraySlice<UInt8>, to segments: inout [TextSegment]) {
    for segment in stretch {
      var id = segment.id
      if id == TextSegment.unknown || hasReservedTwins {
        let found = model.id(of: text[segment.range])
        id = found == model.unknownID || model.types[Int(found)] == .unused ? TextSegment.unknown : found
      }
      segments.append(TextSegment(id: id, range: segment.range))
    }
  }
}
