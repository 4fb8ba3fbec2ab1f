import Formats
import TensorCore

extension TokenizerFile {
  /// The model that the file describes.
  func tokenModel() throws(ApusError) -> any TokenModel {
    guard let model else {
      throw ApusError(.configuration, "is missing", expected: "an object", at: "model", file: file)
    }
    do throws(ApusError) {
      switch try model.optionalString("type") ?? impliedType(model) {
      case "WordPiece": return try wordPiece(model)
      case "BPE": return try bytePairEncoding(model)
      case "Unigram": return try unigram(model)
      case let type:
        throw ApusError(
          .unsupportedModel, "the model '\(type)'", expected: "WordPiece, BPE or Unigram", at: "model.type")
      }
    } catch {
      throw error.inFile(file)
    }
  }

  /// The type of a model of an old file that does not name it.
  private func impliedType(_ model: ConfigurationReader) -> String {
    if tables.merges != nil { return "BPE" }
    return tables.scores != nil ? "Unigram" : model.has("continuing_subword_prefix") ? "WordPiece" : "unknown"
  }

  private func vocabulary() throws(ApusError) -> Vocabulary {
    guard let vocabulary = tables.vocabulary else {
      throw ApusError(
        .configuration, "is missing", expected: "an object of pieces and ids", at: "model.vocab")
    }
    return vocabulary
  }

  private func wordPiece(_ model: ConfigurationReader) throws(ApusError) -> any TokenModel {
    try WordPiece(
      vocabulary: try vocabulary(), unknownPiece: try model.string("unk_token"),
      continuation: try model.string("continuing_subword_prefix"),
      maximumCharacters: try model.integer("max_input_chars_per_word", in: 0...Int(Int32.max)))
  }

  private func bytePairEncoding(_ model: ConfigurationReader) throws(ApusError) -> any TokenModel {
    if let dropout = model.value("dropout"), dropout.double != 0 {
      throw ApusError(
        .unsupportedModel, "is \(dropout.kind): pairs left out by chance", expected: "null",
        at: "model.dropout")
    }
    guard let merges = tables.merges else {
      throw ApusError(.configuration, "is missing", expected: "a list of pairs", at: "model.merges")
    }
    var options = BytePairEncoding.Options()
    options.unknownPiece = try model.optionalString("unk_token")
    options.joinsUnknown = try model.bool("fuse_unk", default: false)
    options.continuation = try model.string("continuing_subword_prefix", default: "")
    options.wordEnd = try model.string("end_of_word_suffix", default: "")
    options.fallsBackToBytes = try model.bool("byte_fallback", default: false)
    options.prefersWholeWords = try model.bool("ignore_merges", default: false)
    return try BytePairEncoding(vocabulary: try vocabulary(), merges: merges, options: options)
  }

  private func unigram(_ model: ConfigurationReader) throws(ApusError) -> any TokenModel {
    guard let scores = tables.scores else {
      throw ApusError(
        .configuration, "is missing", expected: "a list of pieces and scores", at: "model.vocab")
    }
    return try UnigramModel(
      pieces: scores, unknownID: try model.optionalInteger("unk_id", in: 0...Int(Int32.max)),
      byteFallback: try model.bool("byte_fallback", default: false))
  }
}
