import Formats
import TensorCore

extension Tokenizer {
  /// The tokenizer of BERT or MPNet with the vocabulary of a `vocab.txt`.
  init(
    words path: String, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let row = try settings.row(for: .words, path) ?? .bert
    let vocabulary = try VocabularyFiles.lines(path)
    do throws(ApusError) {
      let model = try WordPiece(
        vocabulary: vocabulary, unknownPiece: settings.tokens(of: row)["unk_token"]?.content.text ?? "[UNK]")
      try self.init(row, model, settings)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The tokenizer of CLIP, GPT-2 or RoBERTa with the vocabulary of a `vocab.json` and the `merges.txt` beside it.
  init(
    pairs path: String, _ settings: TokenizerSettings, folder: ModelFolder
  ) throws(ApusError) {
    guard let mergesPath = folder.file("merges.txt") else {
      throw ApusError(.file, "has no merges.txt beside vocab.json", file: folder.path)
    }
    let vocabulary = try VocabularyFiles.json(path)
    let merges = try VocabularyFiles.merges(mergesPath)
    do throws(ApusError) {
      let row = try settings.row(ofPairs: vocabulary, path)
      try self.init(row, try row.pairs(vocabulary, merges, settings), settings, needsClass: true)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The tokenizer of a class with the pieces of raw files.
  /// - Parameters:
  ///   - map: the character map of the pieces.
  ///   - own: further tokens of the class.
  ///   - needsClass: as in ``TokenizerSettings/addedTokens(_:own:beside:to:needsClass:)``.
  init(
    _ row: TokenizerClass, _ model: any TokenModel, _ settings: TokenizerSettings,
    map: CharacterMapNormalizer? = nil, own: [AddedToken] = [], needsClass: Bool = false
  ) throws(ApusError) {
    row.passOverOtherKeys(settings)
    let tokens = settings.tokens(of: row)
    let added = try settings.addedTokens(
      tokens, own: own, to: AddedTokenList(model: model), needsClass: needsClass)
    // The library gives new ids to tokens around texts that the vocabulary lacks, for which a model has no embeddings.
    let stated = Set(settings.numbered(beside: []).map(\.token.content))
    let template = try row.template(settings) { (name) throws(ApusError) in
      try settings.id(name, among: tokens, added.filter { stated.contains($0.content) }, in: model)
    }
    if template == nil || row.ends?.areThoseOfTheFile == true {
      for key in ["add_bos_token", "add_eos_token"] { try settings.require(key, isOneOf: .bool(false)) }
    } else {
      settings.passOver([
        KeysWithoutEffect(
          "the class, which has its own tokens around a text", ["add_bos_token", "add_eos_token"])
      ])
    }
    var parts = TokenizerParts(
      normalizer: try row.normalizer(settings, map), preTokenizers: try row.cuts(settings), model: model,
      template: template ?? SpecialTokenTemplate(), decoder: try row.decoder(settings), addedTokens: added)
    parts.offsetTrimming = try settings.offsetTrimming(row)
    self.init(parts, settings.configuration(tokens))
  }
}
