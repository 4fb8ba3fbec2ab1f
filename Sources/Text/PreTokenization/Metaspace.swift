/// Writes spaces as a visible mark, puts one before words, and cuts before each.
struct Metaspace: PreTokenizer {
  /// Which stretches of text get a mark in front.
  enum Prepending: String, Sendable, CaseIterable {
    case always, never
    /// Only the one at the start of the whole input.
    case first
  }

  let mark: [UInt8]
  let prepending: Prepending
  let splits: Bool

  func apply(to text: inout PreTokenizedText) {
    let original = text
    var bytes: [UInt8] = []
    bytes.reserveCapacity(original.bytes.count + original.bytes.count / 2 + mark.count)
    var list = PieceList()
    let source = original.bytes.span
    for (index, piece) in original.pieces.enumerated() {
      let start = bytes.count
      let isMarked = source[piece.lowerBound] == 0x20 || source.hasPrefix(mark, at: piece.lowerBound)
      let wantsMark = prepending == .always || (prepending == .first && index == 0 && original.startsAtOrigin)
      if wantsMark, !isMarked, !(index == 0 && original.continues) { bytes += mark }
      for position in piece {
        if source[position] == 0x20 { bytes += mark } else { bytes.append(source[position]) }
      }
      if splits { cut(bytes.span, start, &list) } else { list.append(start, bytes.count) }
    }
    text.bytes = bytes
    text.pieces = list.pieces
    text.continues = text.continues && !splits
  }

  private func cut(_ bytes: Span<UInt8>, _ start: Int, _ list: inout PieceList) {
    var splitter = MatchSplitter(start..<bytes.count, behavior: .mergedWithNext)
    TextPattern.literal(mark).forEachMatch(in: bytes, start..<bytes.count) { splitter.add($0, to: &list) }
    splitter.finish(&list)
  }
}
