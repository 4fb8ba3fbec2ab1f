import TensorCore

/// The cut of a text into pieces whose scores have the largest sum (Viterbi; Kudo 2018, "Subword
/// Regularization"). Of equal sums, the one whose last piece is found first, from the left and short
/// before long, wins.
package struct UnigramSegmenter: TextSegmenter {
  private let trie: ByteTrie
  private let scores: [Double]
  private let lengths: [Int32]
  private let unknownScore: Double
  /// Whether sums are kept as Float, as the sentencepiece library does, which decides near-ties.
  private let keepsSinglePrecision: Bool

  /// - Parameters:
  ///   - trie: the pieces that may be part of a cut, with their ids.
  ///   - scores: finite, by id.
  package init(
    trie: ByteTrie, pieces: PieceTable, scores: [Double], unknownScore: Double, keepsSinglePrecision: Bool
  ) {
    self.trie = trie
    self.scores = scores
    self.unknownScore = unknownScore
    self.keepsSinglePrecision = keepsSinglePrecision
    lengths = (0..<pieces.count).map { Int32(truncatingIfNeeded: pieces.length(of: $0)) }
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    let lastIDs = bestLastIDs(of: text)
    var segments: [TextSegment] = []
    segments.reserveCapacity(text.count / 4 + 1)
    var end = text.count
    while end > 0 {
      let id = lastIDs[end]
      var start = end - (id >= 0 ? Int(lengths[Int(id)]) : 1)
      if id == TextSegment.unknown {
        while start > 0, text[text.startIndex + start] & 0xc0 == 0x80 { start -= 1 }
      }
      segments.append(TextSegment(id: id, range: text.startIndex + start..<text.startIndex + end))
      end = start
    }
    segments.reverse()
    return segments
  }

  /// For every offset the id of the last piece of the best cut of the text before it.
  private func bestLastIDs(of text: ArraySlice<UInt8>) -> [Int32] {
    let unreached = Int32.min
    var ids = [Int32](repeating: unreached, count: text.count + 1)
    var sums = [Double](repeating: 0, count: text.count + 1)

    @inline(__always)
    func offer(_ id: Int32, _ exactSum: Double, at end: Int) {
      let sum = keepsSinglePrecision ? Double(Float(exactSum)) : exactSum
      if ids[end] == unreached || sum > sums[end] {
        sums[end] = sum
        ids[end] = id
      }
    }

    let base = text.startIndex
    var start = 0
    while start < text.count {
      let sum = sums[start]
      let characterEnd = min(start + UTF8Bytes.length(lead: text[base + start]), text.count)
      var coversCharacter = false
      var node = ByteTrie.root
      var end = start
      while end < text.count {
        node = trie.child(of: node, text[base + end])
        if node == ByteTrie.none { break }
        end += 1
        let id = trie.value(at: node)
        if id != ByteTrie.none {
          offer(id, sum + scores[Int(id)], at: end)
          if end == characterEnd { coversCharacter = true }
        }
      }
      if !coversCharacter {
        offer(TextSegment.unknown, sum + unknownScore, at: characterEnd)
      }
      start = characterEnd
    }
    return ids
  }
}
