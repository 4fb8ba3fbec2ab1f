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
    try settings.requireClass(
      among: [
        "AlbertTokenizer", "DebertaV2Tokenizer", "SiglipTokenizer", "T5Tokenizer", "XLMRobertaTokenizer",
      ], for: path)
    try settings.require("sp_model_kwargs", isOneOf: .object([]))
    let bytes = try FileBytes.read(path, limit: TokenizerFile.maximumByteCount)
    do throws(ApusError) {
      let model = try SentencePieceModel(bytes)
      switch settings.pythonClass {
      case "AlbertTokenizer": try self.init(albert: model, settings)
      case "DebertaV2Tokenizer": try self.init(deBERTa: model, settings)
      case "SiglipTokenizer": try self.init(siglip: model, settings)
      case "T5Tokenizer": try self.init(t5: model, settings)
      case "XLMRobertaTokenizer": try self.init(xlmRoberta: model, settings)
      default:
        let tokenizer = try SentencePieceTokenizer(model)
        self.init(
          normalizer: nil, preTokenizers: [], model: tokenizer, template: SpecialTokenTemplate(),
          decoder: SentencePieceTokenDecoder(tokenizer: tokenizer), addedTokens: [],
          configuration: settings.configuration([:]))
      }
    } catch {
      throw error.inFile(path)
    }
  }

  /// As `SiglipTokenizer` of `transformers`: lower case without punctuation, then `</s>`.
  private init(siglip file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    var tokens = settings.tokens(["eos_token": "</s>", "unk_token": "<unk>", "pad_token": "</s>"])
    for name in tokens.keys {
      tokens[name]?.stripsLeft = true
      tokens[name]?.stripsRight = true
    }
    let tokenizer = try SentencePieceTokenizer(file)
    let model = SiglipModel(tokenizer, unknownPiece: tokens["unk_token"]?.content.text ?? "<unk>")
    var template = SpecialTokenTemplate.ended(by: try settings.id("eos_token", among: tokens, in: model))
    template.keepsOwnEnd = true
    var configuration = settings.configuration(tokens)
    configuration.maximumLength = configuration.maximumLength ?? 64
    self.init(
      normalizer: SiglipNormalizer(lowercases: try settings.bool("do_lower_case", default: true)),
      preTokenizers: [], model: model, template: template,
      decoder: SiglipDecoder(
        tokenizer: tokenizer, specialTokens: Set(tokens.values.map { Array($0.content.utf8) })),
      addedTokens: try settings.addedTokens(tokens, model: model), configuration: configuration)
  }

  /// As `AlbertTokenizer` of `transformers`: without accents and in lower case, unless the settings say otherwise, between
  /// `[CLS]` and `[SEP]`.
  private init(albert file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    // The class takes this for the unknown token, whatever the model says.
    let model = try UnigramModel(
      pieces: try file.unigramPieces(for: "AlbertTokenizer"), unknownID: 1, byteFallback: false)
    let tokens = settings.tokens(TokenizerSettings.albertTokens)
    try self.init(
      words: file, model,
      .bert(
        start: try settings.id("cls_token", among: tokens, in: model),
        end: try settings.id("sep_token", among: tokens, in: model)),
      try settings.addedTokens(tokens, own: file.wholeTokens, model: model), settings.configuration(tokens),
      prepending: try settings.prepending(), after: try settings.albertSteps())
  }

  /// As `T5Tokenizer` of `transformers`: the sentinels `<extra_id_99>` … `<extra_id_0>` behind the pieces, then
  /// `</s>` behind a text.
  private init(t5 file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    var pieces = try file.unigramPieces(for: "T5Tokenizer")
    let count = try settings.count("extra_ids", default: 100, upTo: 10_000)
    let sentinels = (0..<count).reversed().map { "<extra_id_\($0)>" }
    pieces += sentinels.map { ($0, 0) }
    // The class takes this for the unknown token, whatever the model says.
    let model = try UnigramModel(pieces: pieces, unknownID: 2, byteFallback: false)
    let tokens = settings.tokens(["eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"])
    try self.init(
      words: file, model, .ended(by: try settings.id("eos_token", among: tokens, in: model)),
      try settings.addedTokens(
        tokens, own: file.wholeTokens + sentinels.map { AddedToken(special: ExactText($0)) }, model: model),
      settings.configuration(tokens))
  }

  /// As `XLMRobertaTokenizer` of `transformers`: four special tokens take the place of the first three pieces, and the
  /// mask follows the last.
  private init(xlmRoberta file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    let tokens = settings.tokens(TokenizerSettings.robertaTokens)
    guard settings.extra.isEmpty else {
      throw ApusError(
        .unsupportedModel, "further special tokens beside sentencepiece.bpe.model", expected: "none",
        at: "extra_special_tokens", advice: "Give tokenizer.json, which has them.")
    }
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
    let model = try UnigramModel(pieces: pieces, unknownID: 3, byteFallback: false)
    try self.init(
      words: file, model,
      .roberta(
        start: try settings.id("bos_token", among: tokens, in: model),
        end: try settings.id("eos_token", among: tokens, in: model)),
      try settings.addedTokens(tokens, own: file.wholeTokens, model: model), settings.configuration(tokens),
      prepending: try settings.prepending())
  }

  /// The unigram model of `tokenizers`, word by word.
  /// - Parameter steps: what is done with a text before the character map.
  private init(
    words file: SentencePieceModel, _ model: UnigramModel, _ template: SpecialTokenTemplate,
    _ addedTokens: [AddedToken], _ configuration: TokenizerConfiguration,
    prepending: Metaspace.Prepending = .always, after steps: [any TextNormalizer] = []
  ) throws(ApusError) {
    let map = file.normalizer.characterMap
    var steps = steps
    if !map.isEmpty {
      steps.append(CharacterMapNormalizer(map: PrecompiledNormalizer(try PrecompiledCharacterMap(map))))
    }
    self.init(
      normalizer: steps.isEmpty ? nil : NormalizerSequence(steps: steps),
      preTokenizers: [
        PropertySplitter(property: .whitespace, behavior: .removed),
        Metaspace(mark: UTF8Bytes.spaceMark, prepending: prepending, splits: true),
      ],
      model: model, template: template,
      decoder: MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: prepending == .never),
      addedTokens: addedTokens, configuration: configuration)
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

extension SpecialTokenTemplate {
  /// As T5 has it: `A </s>`, and `A </s> B </s>`, all of type 0.
  fileprivate static func ended(by end: Int32) -> SpecialTokenTemplate {
    let single: [Part] = [.text(0, tokenType: 0), .special([end], tokenType: 0)]
    return SpecialTokenTemplate(
      single: single, pair: single + [.text(1, tokenType: 0), .special([end], tokenType: 0)])
  }
}
