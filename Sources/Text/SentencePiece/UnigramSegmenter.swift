import TensorCore

/// The cut of a text into pieces whose scores have the largest sum (Viterbi; Kudo 2018, "Subword
/// Regularization"). Of equal sums, the one whose last piece is found first, from the left and short
/// before long, wins.
package struct UnigramSegmenter: Sendable {
  /// A piece of the cut. An id of ``unknown`` is one character that is no piece.
  package struct Segment: Sendable {
    package var id: Int32
    package var range: Range<Int>
  }

  /// The id of a character that no piece covers.
  package static let unknown: Int32 = -1
  /// Bytes of the longest piece taken. The work is bounded by text × piece length.
  package static let longestPiece = 1024

  private let trie: ByteTrie
  private let scores: [Double]
  private let lengths: [Int32]
  private let unknownScore: Double
  /// Whether sums are kept as Float, as the sentencepiece library does, which decides near-ties.
  private let keepsSinglePrecision: Bool

  /// - Parameter usable: whether the piece of an id may be part of a cut.
  /// - Throws: ``ApusError`` when a score is not finite or a piece is too long.
  package init(
    pieces: PieceTable, scores: [Double], unknownScore: Double, keepsSinglePrecision: Bool,
    usable: (Int) -> Bool = { _ in true }
  ) throws(ApusError) {
    var trie = ByteTrie()
    for id in 0..<pieces.count {
      guard scores[id].isFinite else {
        throw ApusError(
          .malformedModel, "the score is \(scores[id])", expected: "a finite number", at: "piece \(id)")
      }
      guard pieces.length(of: id) <= Self.longestPiece else {
        throw ApusError(
          .unsupportedModel, "the piece has \(pieces.length(of: id)) bytes",
          expected: "at most \(Self.longestPiece)", at: "piece \(id)")
      }
      if usable(id), pieces.length(of: id) > 0 { try trie.insert(pieces[id], Int32(id)) }
    }
    self.trie = trie
    self.scores = scores
    self.unknownScore = unknownScore
    self.keepsSinglePrecision = keepsSinglePrecision
    lengths = (0..<pieces.count).map { Int32(pieces.length(of: $0)) }
  }

  /// The id of a piece that may be part of a cut; nil when there is none.
  package func id(of piece: some Sequence<UInt8>) -> Int32? {
    let id = trie.value(of: piece)
    return id == ByteTrie.none ? nil : id
  }

  /// The segments of `text`, which is well-formed UTF-8, from the last to the first.
  package func reversedSegments(of text: ArraySlice<UInt8>) -> [Segment] {
    let lastIDs = bestLastIDs(of: text)
    var segments: [Segment] = []
    segments.reserveCapacity(text.count / 4 + 1)
    var end = text.count
    while end > 0 {
      let id = lastIDs[end]
      var start = end - (id >= 0 ? Int(lengths[Int(id)]) : 1)
      if id == Self.unknown {
        while start > 0, text[text.startIndex + start] & 0xc0 == 0x80 { start -= 1 }
      }
      segments.append(Segment(id: id, range: text.startIndex + start..<text.startIndex + end))
      end = start
    }
    return segments
  }

  /// For every offset the id of the last piece of the best cut of the text before it.
  private func bestLastIDs(of text: ArraySlice<UInt8>) -> [Int32] {
    let unreached = Int32.min
    var ids = [Int32](repeating: unreached, count: text.count + 1)
    var sums = [Double](repeating: 0, count: text.count + 1)

    @inline(__always)
    func offer(_ id: Int32, _ sum: Double, at end: Int) {
      if ids[end] == unreached || sum > sums[end] {
        sums[end] = keepsSinglePrecision ? Double(Float(sum)) : sum
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
        let unknownSum = sum + unknownScore
        offer(Self.unknown, keepsSinglePrecision ? Double(Float(unknownSum)) : unknownSum, at: characterEnd)
      }
      start = characterEnd
    }
    return ids
  }
}
