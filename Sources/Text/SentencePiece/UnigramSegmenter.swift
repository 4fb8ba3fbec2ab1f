import TensorCore

/// The cut of a text into pieces whose scores have the largest sum (Viterbi; Kudo 2018, "Subword
/// Regularization"). Of equal sums, the one whose last piece is found first, from the left and short
/// before long, wins.
package final class UnigramSegmenter: TextSegmenter {
  private let keys: DoubleArrayTrie
  private let scores: [Double]
  private let lengths: [Int32]
  /// The bytes of the longest piece, or of a character.
  let longestPiece: Int
  private let unknownScore: Double
  /// Whether sums are kept as Float, as the sentencepiece library does, which decides near-ties.
  private let keepsSinglePrecision: Bool

  /// - Parameters:
  ///   - trie: the pieces that may be part of a cut, with their ids.
  ///   - scores: finite, by id.
  /// - Throws: ``ApusError`` when there are too many pieces to be found.
  package init(
    trie: ByteTrie, pieces: PieceTable, scores: [Double], unknownScore: Double, keepsSinglePrecision: Bool
  ) throws(ApusError) {
    keys = try DoubleArrayTrie(trie)
    self.scores = scores
    self.unknownScore = unknownScore
    self.keepsSinglePrecision = keepsSinglePrecision
    lengths = (0..<pieces.count).map { Int32(truncatingIfNeeded: pieces.length(of: $0)) }
    longestPiece = max(4, lengths.max().map { Int($0) } ?? 0)
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    var segments: [TextSegment] = []
    segments.reserveCapacity(text.count / 4 + 1)
    forEachSegmentFromEnd(of: text) { id, range in segments.append(TextSegment(id: id, range: range)) }
    segments.reverse()
    return segments
  }

  /// Scores add up from the start of a text: see ``UnigramRun``.
  package func cut(in text: [UInt8]) -> Int { 0 }

  /// Calls `body` with the id and the place of each segment of `text`, the last first.
  @inline(__always)
  func forEachSegmentFromEnd(of text: ArraySlice<UInt8>, _ body: (Int32, Range<Int>) -> Void) {
    // Most texts are words, for which the stack does.
    unsafe withUnsafeTemporaryAllocation(of: Step.self, capacity: text.count + 1) { buffer in
      unsafe buffer.initialize(repeating: Step(sum: 0, id: Step.unreached))
      var steps = unsafe buffer.mutableSpan
      let (source, base) = (text.span, text.startIndex)
      _ = findBestSteps(through: source, from: 0, before: source.count, &steps)
      var end = source.count
      while end > 0 {
        let start = start(of: steps[end].id, before: end, in: source)
        body(steps[end].id, base + start..<base + end)
        end = start
      }
    }
  }

  /// Where a piece starts that ends at an offset.
  @inline(__always)
  func start(of id: Int32, before end: Int, in text: Span<UInt8>) -> Int {
    var start = end - (id >= 0 ? Int(lengths[Int(id)]) : 1)
    if id == TextSegment.unknown {
      while start > 0, text[start] & 0xc0 == 0x80 { start -= 1 }
    }
    return start
  }

  /// How the best cut of the text before an offset ends.
  struct Step {
    static let unreached = Int32.min

    var sum: Double
    /// The id of the last piece.
    var id: Int32
  }

  /// Finds the best step to every offset that is reached from those before a limit.
  /// - Returns: the first offset behind them.
  @inline(__always)
  func findBestSteps(
    through text: Span<UInt8>, from first: Int, before limit: Int, _ steps: inout MutableSpan<Step>
  ) -> Int {
    let scores = scores
    var start = first
    while start < limit {
      let startSum = steps[start].sum
      let characterEnd = min(start + UTF8Bytes.length(lead: text[start]), text.count)
      var coversCharacter = false
      keys.forEachKey(of: text, at: start) { id, end in
        let sum = rounded(startSum + scores[Int(id)])
        if steps[end].id == Step.unreached || sum > steps[end].sum { steps[end] = Step(sum: sum, id: id) }
        coversCharacter = coversCharacter || end == characterEnd
      }
      if !coversCharacter {
        let (end, sum) = (characterEnd, rounded(startSum + unknownScore))
        if steps[end].id == Step.unreached || sum > steps[end].sum {
          steps[end] = Step(sum: sum, id: TextSegment.unknown)
        }
      }
      start = characterEnd
    }
    return start
  }

  @inline(__always)
  private func rounded(_ sum: Double) -> Double { keepsSinglePrecision ? Double(Float(sum)) : sum }
}
