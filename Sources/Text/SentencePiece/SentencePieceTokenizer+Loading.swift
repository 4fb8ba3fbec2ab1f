import TensorCore
extension Tokenizer {
  init(sentencePiece path: String, configuration: TokenizerConfiguration) throws(ApusError) {
    throw ApusError(.unsupportedModel, "not yet", file: path)
  }
}
