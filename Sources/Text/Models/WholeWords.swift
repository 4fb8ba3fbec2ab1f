/// Each stretch of text is one piece, or unknown.
struct WholeWords: TokenModel {
  let vocabulary: Vocabulary
  let unknown: Int32

  var vocabularySize: Int { vocabulary.idLimit }
  var pieceCount: Int { vocabulary.count }
  func id(of piece: String) -> Int32? { vocabulary.id(of: piece) }
  func piece(of id: Int32) -> String? { vocabulary.piece(of: id) }

  func wordRun() -> any WordRun { CollectedWord(self, decidingLength: vocabulary.longest) }

  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    ids.append(vocabulary.id(of: text.span) ?? unknown)
  }
}
