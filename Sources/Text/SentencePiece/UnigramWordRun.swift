/// A word that comes part by part, on its way to the ids of a unigram vocabulary.
struct UnigramWordRun: WordRun {
  private var run: UnigramRun
  private var row: UnknownRow

  init(_ model: UnigramModel) {
    run = UnigramRun(model.segmenter)
    row = UnknownRow(model)
  }

  mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
    // By itself, since the closure would hold all of the run.
    var row = row
    self.row.clear()
    run.append(part, isLast: isLast) { id, segment in
      if row.holds(id) { return row.append(segment, limit: limit, to: &ids) }
      row.finish(&ids)
      ids.append(id)
    }
    if isLast { row.finish(&ids) }
    self.row = row
  }
}

/// Unknown characters side by side, of which no more is kept than decides what they are: the piece that they are together,
/// or the pieces of all of their bytes, or one unknown token.
private struct UnknownRow {
  private enum Kind { case open, bytes, token }

  private let model: UnigramModel
  /// For each byte whether it has a piece.
  private let hasPiece: [Bool]
  private var kind = Kind.open
  /// The bytes, as long as it is open what they are.
  private var text: [UInt8] = []
  /// Whether all of them have pieces.
  private var hasPieces = true

  init(_ model: UnigramModel) {
    self.model = model
    hasPiece = model.byteIDs?.map { $0 != ByteTrie.none } ?? Array(repeating: false, count: 256)
  }

  /// Whether a segment is part of such a row.
  func holds(_ id: Int32) -> Bool { id == TextSegment.unknown || id == model.unknownID }

  /// Appends a segment, and those ids that are sure by now.
  mutating func append(_ segment: ArraySlice<UInt8>, limit: Int, to ids: inout [Int32]) {
    switch kind {
    case .token: return
    case .bytes: model.appendBytes(segment, to: &ids)
    case .open:
      hasPieces = hasPieces && segment.allSatisfy { hasPiece[Int($0)] }
      let longest = model.segmenter.longestPiece
      // Bytes of which each is an id are kept up to the limit.
      let room = limit - min(limit, ids.count)
      if text.count <= max(longest, room) { text += segment }
      guard text.count > longest else { return }
      if !hasPieces {
        kind = .token
        ids.append(model.unknownID)
      } else if !hasPiece.contains(false) {
        kind = .bytes
        model.appendBytes(text[...], to: &ids)
      } else {
        return
      }
      text = []
    }
  }

  /// Appends the ids of what is open, and begins anew.
  mutating func finish(_ ids: inout [Int32]) {
    if kind == .open, !text.isEmpty {
      let first = ids.count
      model.appendReversed(unknown: text[...], to: &ids)
      ids[first...].reverse()
    }
    (kind, text, hasPieces) = (.open, [], true)
  }

  mutating func clear() { text = [] }
}
