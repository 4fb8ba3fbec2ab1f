/// A sentencepiece model as the model of a ``Tokenizer``: all of a text is one stretch.
extension SentencePieceTokenizer: TokenModel {
  package var vocabularySize: Int { model.pieces.count }

  package func id(of piece: String) -> Int32? {
    let bytes = Array(piece.utf8)[...]
    let id = model.id(of: bytes)
    return model.pieces[Int(id)] == bytes ? id : nil
  }

  package func piece(of id: Int32) -> String? { model.pieces.text(of: id) }

  package func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) { ids += encode(Array(text)) }

  package func wordRun() -> any WordRun { SentencePieceRun(self) }
}
