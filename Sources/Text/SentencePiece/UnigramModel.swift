import TensorCore

/// A unigram vocabulary that cuts text as the `tokenizers` library does.
///
/// Runs of characters that no piece covers become one unknown token, or, with byte fallback, the tokens
/// `<0xNN>` of their bytes. Every entry of the vocabulary takes part, special ones too, and the unknown
/// character costs the lowest score less 10.
package final class UnigramModel: TokenModel {
  /// What an unknown character costs beyond the least likely piece.
  private static let unknownPenalty = 10.0

  private let pieces: PieceTable
  private let trie: ByteTrie
  let segmenter: UnigramSegmenter
  let unknownID: Int32
  /// The ids of `<0x00>` … `<0xFF>`, or ``ByteTrie/none``; nil without byte fallback.
  let byteIDs: [Int32]?

  /// - Parameters:
  ///   - pieces: the vocabulary with its log probabilities, by id. Of equal pieces the last counts.
  ///   - unknownID: the id of the unknown token.
  /// - Throws: ``ApusError`` when a score is not finite or `unknownID` is not one of the ids.
  package init(
    pieces entries: [(piece: String, score: Double)], unknownID: Int?, byteFallback: Bool
  ) throws(ApusError) {
    guard let unknownID, unknownID >= 0, unknownID < entries.count, entries.count < Int(Int32.max) else {
      throw ApusError(
        .malformedModel, "unk_id is \(unknownID.map(String.init) ?? "missing")",
        expected: "an id below \(entries.count)", at: "model")
    }
    var (pieces, trie) = (PieceTable(), ByteTrie())
    for (id, entry) in entries.enumerated() {
      guard entry.score.isFinite else {
        throw ApusError(
          .malformedModel, "the score is \(entry.score)", expected: "a finite number", at: "piece \(id)")
      }
      pieces.append(entry.piece.utf8)
      if !entry.piece.isEmpty { try trie.insert(entry.piece.utf8, Int32(id)) }
    }
    let scores = entries.map(\.score)
    segmenter = try UnigramSegmenter(
      trie: trie, pieces: pieces, scores: scores, unknownScore: (scores.min() ?? 0) - Self.unknownPenalty,
      keepsSinglePrecision: false)
    self.pieces = pieces
    self.trie = trie
    self.unknownID = Int32(unknownID)
    byteIDs = byteFallback ? (0...255).map { trie.value(of: ByteToken.text(of: $0).utf8) } : nil
  }

  package var vocabularySize: Int { pieces.count }

  package func id(of piece: String) -> Int32? {
    let id = trie.value(of: piece.utf8)
    return id == ByteTrie.none ? nil : id
  }

  package func piece(of id: Int32) -> String? { pieces.text(of: id) }

  package func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    let first = ids.count
    // A run of unknown characters, which is whole only where another piece comes before it.
    var run: Range<Int>?
    segmenter.forEachSegmentFromEnd(of: text) { id, range in
      if id == TextSegment.unknown || id == unknownID {
        run = range.lowerBound..<(run?.upperBound ?? range.upperBound)
      } else {
        if let unknown = run { appendReversed(unknown: text[unknown], to: &ids) }
        run = nil
        ids.append(id)
      }
    }
    if let unknown = run { appendReversed(unknown: text[unknown], to: &ids) }
    ids[first...].reverse()
  }

  package func wordRun() -> any WordRun { UnigramWordRun(self) }

  /// Appends the ids of bytes, each of which has one.
  func appendBytes(_ bytes: ArraySlice<UInt8>, to ids: inout [Int32]) {
    guard let byteIDs else { return }
    for byte in bytes { ids.append(byteIDs[Int(byte)]) }
  }

  /// Appends the ids of a run of unknown characters, the last first; together they can be a piece after all.
  func appendReversed(unknown text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    let whole = trie.value(of: text)
    if whole != ByteTrie.none {
      ids.append(whole)
    } else if let byteIDs, text.allSatisfy({ byteIDs[Int($0)] != ByteTrie.none }) {
      for byte in text.reversed() { ids.append(byteIDs[Int(byte)]) }
    } else {
      ids.append(unknownID)
    }
  }
}
