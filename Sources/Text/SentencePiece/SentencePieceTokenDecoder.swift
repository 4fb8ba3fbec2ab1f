/// Joins the pieces of a sentencepiece model as its library does.
struct SentencePieceTokenDecoder: TokenDecoder {
  let tokenizer: SentencePieceTokenizer

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] { [tokenizer.decode(pieces: pieces)] }
}
