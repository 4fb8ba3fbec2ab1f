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
    let all = tokenizer.encode(prefix + text)
    ids += all.count >= prefixCount ? all[prefixCount...] : all[...]
  }

  func wordRun() -> any WordRun { Run(self) }

  /// A text that comes part by part.
  private struct Run: WordRun {
    private var run: SentencePieceRun
    /// What goes before the text, until its start has come.
    private var prefix: [UInt8]
    /// Ids, until there are as many as are left out.
    private var first: [Int32] = []
    private let prefixCount: Int
    private var hasBegun = false

    init(_ model: SiglipModel) {
      run = SentencePieceRun(model.tokenizer)
      (prefix, prefixCount) = (model.prefix, model.prefixCount)
    }

    mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
      if hasBegun { return run.append(part, isLast: isLast, limit: limit, to: &ids) }
      run.append(prefix + part, isLast: isLast, limit: .max, to: &first)
      prefix = []
      hasBegun = isLast || first.count >= prefixCount
      if hasBegun { ids += first.count >= prefixCount ? first[prefixCount...] : first[...] }
    }
  }
}
