/// Joins pieces as `SiglipTokenizer` of `transformers` does: special tokens stay visible, each run of others
/// before one is decoded by itself.
struct SiglipDecoder: TokenDecoder {
  let tokenizer: SentencePieceTokenizer
  let specialTokens: Set<[UInt8]>

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    var text: [UInt8] = []
    var pending: [[UInt8]] = []
    var followsSpecial = false
    for piece in pieces {
      guard specialTokens.contains(piece) else {
        pending.append(piece)
        followsSpecial = false
        continue
      }
      if !followsSpecial { text.append(0x20) }
      text += tokenizer.decode(pieces: pending) + piece
      pending.removeAll()
      followsSpecial = true
    }
    return [PythonText.stripped(text + tokenizer.decode(pieces: pending))]
  }
}
