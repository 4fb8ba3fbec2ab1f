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

  /// The model of a class with the pieces of the file, whose other options count for nothing.
  func tokenModel(
    of row: TokenizerClass, _ settings: TokenizerSettings
  ) throws(ApusError) -> any TokenModel {
    guard let model else {
      throw ApusError(.configuration, "is missing", expected: "an object", at: "model", file: file)
    }
    model.passOver([KeysWithoutEffect("the class, which has its own", Self.options)])
    do throws(ApusError) {
      try require(row.model.type, try model.optionalString("type") ?? impliedType(model), settings)
      switch row.model {
      case .wordPiece:
        let unknown = settings.tokens(of: row)["unk_token"]?.content.text
        return try WordPiece(vocabulary: try vocabulary(), unknownPiece: unknown ?? "")
      case .pairs: return try row.pairs(try vocabulary(), try merges(), settings)
      case .unigram:
        let scores = try scores()
        let id = row.unknownID(
          among: scores, settings, else: try settings.count("unk_id", default: 1, upTo: Int(Int32.max)))
        return try UnigramModel(pieces: scores, unknownID: id, byteFallback: false)
      }
    } catch {
      throw error.inFile(file)
    }
  }

  private static let options: Set<ExactText> = [
    "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
    "ignore_merges", "max_input_chars_per_word", "unk_id",
  ]

  /// Refuses a file whose model is another, as of the many that have BERT's vocabulary in an ALBERT.
  private func require(
    _ expected: String, _ type: String, _ settings: TokenizerSettings
  ) throws(ApusError) {
    guard type != expected else { return }
    throw ApusError(
      .unsupportedModel, "is \(type.clipped)",
      expected: "\(expected), as \(settings.pythonClass ?? "the class") has it", at: "model.type",
      advice: "Name the class that wrote the file as tokenizer_class in tokenizer_config.json, "
        + "such as BertTokenizer for WordPiece.")
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

  private func merges() throws(ApusError) -> MergeList {
    guard let merges = tables.merges else {
      throw ApusError(.configuration, "is missing", expected: "a list of pairs", at: "model.merges")
    }
    return merges
  }

  private func scores() throws(ApusError) -> [(piece: String, score: Double)] {
    guard let scores = tables.scores else {
      throw ApusError(
        .configuration, "is missing", expected: "a list of pieces and scores", at: "model.vocab")
    }
    return scores
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
    var options = BytePairEncoding.Options()
    options.unknownPiece = try model.optionalString("unk_token")
    options.joinsUnknown = try model.bool("fuse_unk", default: false)
    options.continuation = try model.string("continuing_subword_prefix", default: "")
    options.wordEnd = try model.string("end_of_word_suffix", default: "")
    options.fallsBackToBytes = try model.bool("byte_fallback", default: false)
    options.prefersWholeWords = try model.bool("ignore_merges", default: false)
    return try BytePairEncoding(vocabulary: try vocabulary(), merges: try merges(), options: options)
  }

  private func unigram(_ model: ConfigurationReader) throws(ApusError) -> any TokenModel {
    return try UnigramModel(
      pieces: try scores(), unknownID: try model.optionalInteger("unk_id", in: 0...Int(Int32.max)),
      byteFallback: try model.bool("byte_fallback", default: false))
  }
}

extension TokenizerClass.Model {
  /// The name in a `tokenizer.json`.
  var type: String {
    switch self {
    case .wordPiece: "WordPiece"
    case .pairs: "BPE"
    case .unigram: "Unigram"
    }
  }
}
