import Formats
import TensorCore

extension Tokenizer {
  /// The tokenizer of a sentencepiece model file.
  ///
  /// Without a class in `tokenizer_config.json`, the ids are those of the sentencepiece library. With one, they
  /// are those of the class in `transformers`: `AlbertTokenizer`, `DebertaV2Tokenizer`, `SiglipTokenizer`,
  /// `T5Tokenizer` or `XLMRobertaTokenizer`.
  init(
    sentencePiece path: String, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let row = try settings.row(for: .sentencePieces, path)
    try settings.require("sp_model_kwargs", isOneOf: .object([]))
    let bytes = try FileBytes.read(path, limit: TokenizerFile.maximumByteCount)
    do throws(ApusError) {
      let model = try SentencePieceModel(bytes)
      switch settings.pythonClass {
      case "SiglipTokenizer": try self.init(siglip: model, settings)
      case "T5Tokenizer": try self.init(t5: model, settings)
      case "XLMRobertaTokenizer": try self.init(xlmRoberta: model, settings)
      case let name?:
        try self.init(row ?? .albert, pieces: try model.unigramPieces(for: name), model, settings)
      case nil:
        let tokenizer = try SentencePieceTokenizer(model)
        self.init(
          TokenizerParts(
            normalizer: nil, preTokenizers: [], model: tokenizer, template: SpecialTokenTemplate(),
            decoder: SentencePieceTokenDecoder(tokenizer: tokenizer), addedTokens: [], offsetTrimming: nil),
          settings.configuration([:]))
      }
    } catch {
      throw error.inFile(path)
    }
  }

  /// As `SiglipTokenizer` of `transformers`: lower case without punctuation, then `</s>`.
  private init(siglip file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    settings.passOver([
      KeysWithoutEffect(
        "the class, which has no such setting", TokenizerClass.allKeys.subtracting(["do_lower_case"]))
    ])
    let usual = TokenizerClass.t5.tokens.merging(["pad_token": "</s>"]) { $1 }
    var tokens = settings.tokens(usual)
    for name in tokens.keys {
      tokens[name]?.stripsLeft = true
      tokens[name]?.stripsRight = true
    }
    let tokenizer = try SentencePieceTokenizer(file)
    let model = SiglipModel(tokenizer, unknownPiece: tokens["unk_token"]?.content.text ?? "<unk>")
    var template = SpecialTokenTemplate.ended(by: try settings.id("eos_token", among: tokens, [], in: model))
    template.keepsOwnEnd = true
    var configuration = settings.configuration(tokens)
    configuration.maximumLength = configuration.maximumLength ?? 64
    self.init(
      TokenizerParts(
        normalizer: SiglipNormalizer(lowercases: try settings.bool("do_lower_case", default: true)),
        preTokenizers: [], model: model, template: template,
        decoder: SiglipDecoder(
          tokenizer: tokenizer, specialTokens: Set(tokens.values.map { Array($0.content.utf8) })),
        addedTokens: try settings.addedTokens(tokens, to: AddedTokenList(model: model)), offsetTrimming: nil),
      configuration)
  }

  /// The unigram model of a class, word by word.
  private init(
    _ row: TokenizerClass, pieces: [(piece: String, score: Double)], _ file: SentencePieceModel,
    _ settings: TokenizerSettings, own: [AddedToken] = []
  ) throws(ApusError) {
    let id = row.unknownID(among: pieces, settings, else: Int(file.trainer.unknownID))
    let bytes = file.normalizer.characterMap
    let map: CharacterMapNormalizer? =
      bytes.isEmpty
      ? nil : CharacterMapNormalizer(map: PrecompiledNormalizer(try PrecompiledCharacterMap(bytes)))
    try self.init(
      row, try UnigramModel(pieces: pieces, unknownID: id, byteFallback: false), settings, map: map,
      own: file.wholeTokens + own)
  }

  /// As `T5Tokenizer` of `transformers`: the sentinels `<extra_id_99>` … `<extra_id_0>` behind the pieces, then
  /// `</s>` behind a text.
  private init(t5 file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    var pieces = try file.unigramPieces(for: "T5Tokenizer")
    let count = try settings.count("extra_ids", default: 100, upTo: 10_000)
    let sentinels = (0..<count).reversed().map { "<extra_id_\($0)>" }
    pieces += sentinels.map { ($0, 0) }
    try self.init(
      .t5, pieces: pieces, file, settings, own: sentinels.map { AddedToken(special: ExactText($0)) })
  }

  /// As `XLMRobertaTokenizer` of `transformers`: four special tokens take the place of the first three pieces, and the
  /// mask follows the last.
  private init(xlmRoberta file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    let tokens = settings.tokens(of: .xlmRoberta)
    func piece(_ name: ExactText) throws(ApusError) -> (piece: String, score: Double) {
      guard let token = tokens[name] else {
        throw ApusError(.unsupportedModel, "is null", expected: "a token", at: name.text)
      }
      return (token.content.text, 0)
    }
    var pieces: [(piece: String, score: Double)] = []
    for name in ["bos_token", "pad_token", "eos_token", "unk_token"] as [ExactText] {
      pieces.append(try piece(name))
    }
    pieces += try file.unigramPieces(for: "XLMRobertaTokenizer").dropFirst(3)
    pieces.append(try piece("mask_token"))
    try self.init(.xlmRoberta, pieces: pieces, file, settings)
  }
}

extension SentencePieceModel {
  /// The control and user-defined pieces, which classes look for in text before they cut it.
  var wholeTokens: [AddedToken] {
    types.indices.filter { [.control, .userDefined].contains(types[$0]) }.map { id in
      AddedToken(
        id: 0, content: ExactText(pieces.text(of: Int32(id)) ?? ""), isNormalized: false,
        isSpecial: types[id] == .control)
    }
  }

  /// The pieces with their scores, for a class that takes unigram models alone.
  func unigramPieces(
    for name: String
  ) throws(ApusError) -> [(piece: String, score: Double)] {
    guard trainer.modelType == .unigram else {
      throw ApusError(
        .unsupportedModel, "\(name) with a model of type \(trainer.modelType)", expected: "unigram",
        at: "model_type")
    }
    return scores.indices.map { id in (pieces.text(of: Int32(id)) ?? "", Double(scores[id])) }
  }
}
