import TensorCore

/// Cuts each word into the longest pieces from the left (Wu et al. 2016, "Google's Neural Machine Translation
/// System"), as BERT does. A word that cannot be cut so is one unknown piece.
struct WordPiece: TokenModel {
  let vocabulary: Vocabulary
  private let unknown: Int32
  /// What stands before a piece that does not start its word.
  let continuation: [UInt8]
  private let continuationHash: PieceHash
  /// Words of more characters are unknown.
  private let maximumCharacters: Int

  /// - Throws: ``ApusError`` when the vocabulary lacks the unknown piece.
  init(
    vocabulary: Vocabulary, unknownPiece: String = "[UNK]", continuation: String = "##",
    maximumCharacters: Int = 100
  ) throws(ApusError) {
    guard let unknown = vocabulary.id(of: unknownPiece) else {
      throw ApusError(
        .configuration, "the vocabulary lacks the piece '\(unknownPiece)' for unknown words",
        at: "model.unk_token")
    }
    self.vocabulary = vocabulary
    self.unknown = unknown
    let continuation = Array(continuation.utf8)
    self.continuation = continuation
    continuationHash = PieceHash.of(continuation.span)
    self.maximumCharacters = maximumCharacters
  }

  var vocabularySize: Int { vocabulary.idLimit }
  var pieceCount: Int { vocabulary.count }
  func id(of piece: String) -> Int32? { vocabulary.id(of: piece) }
  func piece(of id: Int32) -> String? { vocabulary.piece(of: id) }

  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) { appendIDs(of: text.span, to: &ids) }

  func wordRun() -> any WordRun {
    // As many characters as a word has at most.
    let (length, isTooLong) = maximumCharacters.multipliedReportingOverflow(by: 4)
    return CollectedWord(self, decidingLength: isTooLong ? .max : max(0, length))
  }

  private func appendIDs(of word: Span<UInt8>, to ids: inout [Int32]) {
    guard !isTooLong(word) else { return ids.append(unknown) }
    let mark = ids.count
    var start = 0
    while start < word.count {
      guard let (id, end) = longestPiece(of: word, from: start) else {
        ids.removeSubrange(mark...)
        return ids.append(unknown)
      }
      ids.append(id)
      start = end
    }
  }

  private func isTooLong(_ word: Span<UInt8>) -> Bool {
    guard word.count > maximumCharacters else { return false }
    var characters = 0
    for index in word.indices where word[index] & 0xC0 != 0x80 { characters += 1 }
    return characters > maximumCharacters
  }

  private func longestPiece(of word: Span<UInt8>, from start: Int) -> (id: Int32, end: Int)? {
    let prefix = start > 0 ? continuation : []
    let limit = min(word.count, start + max(0, vocabulary.longest - prefix.count))
    // Most words, and most rests of words, are pieces.
    if limit == word.count {
      var hash = start > 0 ? continuationHash : PieceHash()
      for index in start..<limit { hash.add(word[index]) }
      if let id = vocabulary.id(hash, prefix: prefix, word, start..<limit) { return (id, limit) }
    }
    var hash = start > 0 ? continuationHash : PieceHash()
    var best: (id: Int32, end: Int)?
    for end in start..<limit {
      hash.add(word[end])
      if let id = vocabulary.id(hash, prefix: prefix, word, start..<(end + 1)) { best = (id, end + 1) }
    }
    return best
  }
}
