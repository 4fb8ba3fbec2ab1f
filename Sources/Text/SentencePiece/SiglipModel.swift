/// A sentencepiece model as `SiglipTokenizer` of `transformers` uses it: without a space before the text.
///
/// The unknown piece is written before each stretch, so that the space goes there, and what it became is left
/// out; where it grows together with the text, so many ids are left out all the same.
struct SiglipModel: TokenModel {
  private let tokenizer: SentencePieceTokenizer
  private let prefix: [UInt8]
  private let prefixCount: Int

  init(_ tokenizer: SentencePieceTokenizer, unknownPiece: String) {
    self.tokenizer = tokenizer
    prefix = Array(unknownPiece.utf8)
    prefixCount = tokenizer.encode(prefix).count
  }

  var vocabularySize: Int { tokenizer.vocabularySize }

  func id(of piece: String) -> Int32? { tokenizer.id(of: piece) }

  func piece(of id: Int32) -> String? { tokenizer.piece(of: id) }

  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    appendIDs(of: text, goesOn: false, limit: .max, to: &ids)
  }

  func appendIDs(of text: ArraySlice<UInt8>, goesOn: Bool, limit: Int, to ids: inout [Int32]) {
    var all: [Int32] = []
    let room = max(0, limit - ids.count)
    tokenizer.appendIDs(
      of: prefix + text, goesOn: goesOn, limit: room < .max - prefixCount ? room + prefixCount : .max,
      to: &all)
    if all.count >= prefixCount { ids += all.dropFirst(prefixCount) } else if !goesOn { ids += all }
  }
}
