import Formats
import TensorCore

extension Tokenizer {
  /// The tokenizer of a sentencepiece model file.
  ///
  /// Without a class in `tokenizer_config.json`, the ids are those of the sentencepiece library. With one, they
  /// are those of the class in `transformers`: `SiglipTokenizer` or `T5Tokenizer`.
  init(
    sentencePiece path: String, _ settings: TokenizerSettings
  ) throws(ApusError) {
    try settings.requireClass(among: ["SiglipTokenizer", "T5Tokenizer"], for: path)
    try settings.require("sp_model_kwargs", isOneOf: .object([]))
    let bytes = try FileBytes.read(path, limit: TokenizerFile.maximumByteCount)
    do throws(ApusError) {
      let model = try SentencePieceModel(bytes)
      switch settings.pythonClass {
      case "SiglipTokenizer": try self.init(siglip: model, settings)
      case "T5Tokenizer": try self.init(t5: model, settings)
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
    let model = SiglipModel(tokenizer, unknownPiece: tokens["unk_token"]?.content ?? "<unk>")
    var template = SpecialTokenTemplate.ended(by: try tokens.id("eos_token", in: model))
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

  /// The class takes this for the unknown token, whatever the model says.
  private static let unknownIDOfT5 = 2

  /// As `T5Tokenizer` of `transformers`: the unigram model of `tokenizers` word by word, the sentinels
  /// `<extra_id_99>` … `<extra_id_0>` behind the pieces, then `</s>`.
  private init(t5 file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    guard file.trainer.modelType == .unigram else {
      throw ApusError(
        .unsupportedModel, "T5Tokenizer with a model of type \(file.trainer.modelType)", expected: "unigram",
        at: "model_type")
    }
    var pieces = file.scores.indices.map { id in
      (piece: file.pieces.text(of: Int32(id)) ?? "", score: Double(file.scores[id]))
    }
    let count = try settings.count("extra_ids", default: 100, upTo: 10_000)
    var sentinels: [AddedToken] = []
    for number in (0..<count).reversed() {
      let text = "<extra_id_\(number)>"
      sentinels.append(
        AddedToken(id: Int32(pieces.count), content: text, isNormalized: false, isSpecial: true))
      pieces.append((text, 0))
    }
    let model = try UnigramModel(pieces: pieces, unknownID: Self.unknownIDOfT5, byteFallback: false)
    let tokens = settings.tokens(["eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"])
    let named = try settings.addedTokens(tokens, model: model)
    let map = file.normalizer.characterMap
    let mark = MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: false)
    self.init(
      normalizer: map.isEmpty
        ? nil : CharacterMapNormalizer(map: PrecompiledNormalizer(try PrecompiledCharacterMap(map))),
      preTokenizers: [
        PropertySplitter(property: .whitespace, behavior: .removed),
        Metaspace(mark: UTF8Bytes.spaceMark, prepending: .always, splits: true),
      ],
      model: model, template: .ended(by: try tokens.id("eos_token", in: model)), decoder: mark,
      addedTokens: named + sentinels.filter { sentinel in !named.contains { $0.id == sentinel.id } },
      configuration: settings.configuration(tokens))
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
