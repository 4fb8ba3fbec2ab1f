import Formats
import TensorCore

/// What the configuration files beside raw vocabulary files say.
struct RawTokenizerSettings {
  private let reader: ConfigurationReader?
  private let base: TokenizerConfiguration
  /// `model_type` of `config.json`.
  private let modelType: String?

  init(folder: ModelFolder, configuration: TokenizerConfiguration) throws(ApusError) {
    base = configuration
    reader = try folder.optionalConfiguration("tokenizer_config.json")
    modelType = try folder.optionalConfiguration("config.json")?.optionalString("model_type")
  }

  /// Whether there is a `tokenizer_config.json`.
  var hasConfiguration: Bool { reader != nil }

  enum PairTokenizer { case clip, gpt2, roberta }

  /// Which tokenizer a vocabulary of byte-pair encoding belongs to: by its class, then by the model, then by the
  /// pieces that only one of them has.
  func pairTokenizer(_ vocabulary: Vocabulary, _ path: String) throws(ApusError) -> PairTokenizer {
    try requireClass(among: ["CLIPTokenizer", "GPT2Tokenizer", "RobertaTokenizer"], for: path)
    switch pythonClass ?? modelType {
    case "CLIPTokenizer", "clip", "clip_text_model": return .clip
    case "GPT2Tokenizer", "gpt2": return .gpt2
    case "RobertaTokenizer", "roberta": return .roberta
    default: break
    }
    if vocabulary.id(of: "a</w>") != nil { return .clip }
    if vocabulary.id(of: "<s>") != nil, vocabulary.id(of: "</s>") != nil { return .roberta }
    if vocabulary.id(of: "<|endoftext|>") != nil { return .gpt2 }
    throw ApusError(
      .unsupportedModel, "a vocabulary of an unknown tokenizer", expected: "one of CLIP, GPT-2 or RoBERTa",
      file: path, advice: "Give tokenizer.json, or tokenizer_config.json with tokenizer_class.")
  }

  /// The class in Python, without the mark of its faster twin.
  private var pythonClass: String? {
    base.tokenizerClass.map { $0.hasSuffix("Fast") ? String($0.dropLast(4)) : $0 }
  }

  /// - Throws: ``ApusError`` when the configuration names a class of other rules.
  func requireClass(among classes: [String], for path: String) throws(ApusError) {
    guard let pythonClass, !classes.contains(pythonClass) else { return }
    throw ApusError(
      .unsupportedModel, "the tokenizer '\(pythonClass.clipped)' from raw files",
      expected: classes.joined(separator: ", "), at: "tokenizer_class", file: path,
      advice: "Give tokenizer.json, which has its rules.")
  }

  /// The special tokens: those of the configuration, else the usual ones. A token written as an object has its own
  /// rules for matching.
  func tokens(_ usual: [String: String]) -> [String: AddedToken] {
    usual.reduce(into: [:]) { tokens, token in
      let written = (try? reader?.optionalObject(token.key)).flatMap { try? AddedToken($0) }
      var added =
        written
        ?? AddedToken(id: 0, content: base.specialTokens[token.key] ?? token.value, isNormalized: false)
      added.isSpecial = true
      tokens[token.key] = added
    }
  }

  /// The special tokens and the further ones of the configuration, with their ids.
  /// - Parameter needsConfiguration: whether, without `tokenizer_config.json`, the special tokens are text like any
  ///   other, as they are for the classes that the `tokenizers` library has for `vocab.json`.
  func addedTokens(
    _ special: [String: AddedToken], model: any TokenModel, needsConfiguration: Bool = false
  ) throws(ApusError) -> [AddedToken] {
    var tokens: [String: AddedToken] = [:]
    if let decoder = try reader?.optionalObject("added_tokens_decoder") {
      for key in decoder.keys {
        let token = try decoder.object(key)
        var added = try AddedToken(token)
        guard let id = Int32(key), id >= 0, (model.id(of: added.content) ?? id) == id else {
          throw token.unexpected("content", token.value("content"), "the piece of the id \(key.clipped)")
        }
        guard model.id(of: added.content) != nil || model.piece(of: id) == nil else {
          throw token.unexpected("content", token.value("content"), "another id: \(key.clipped) is taken")
        }
        added.id = id
        tokens[added.content] = added
      }
    }
    for token in special.values where tokens[token.content] == nil {
      guard let id = model.id(of: token.content) else { continue }
      tokens[token.content] = token
      tokens[token.content]?.id = id
      if needsConfiguration, !hasConfiguration { tokens[token.content]?.isMatched = false }
    }
    return tokens.values.sorted { $0.id < $1.id }
  }

  /// The configuration with the special tokens that are in use.
  func configuration(_ tokens: [String: AddedToken]) -> TokenizerConfiguration {
    var configuration = base
    configuration.specialTokens.merge(tokens.mapValues(\.content)) { first, _ in first }
    return configuration
  }

  func bool(_ key: String, default value: Bool) throws(ApusError) -> Bool {
    try reader?.bool(key, default: value) ?? value
  }

  func count(_ key: String, default value: Int, upTo limit: Int) throws(ApusError) -> Int {
    try reader?.optionalInteger(key, in: 0...limit) ?? value
  }

  func bertNormalizer() throws(ApusError) -> BertNormalizer {
    let lowercases = try reader?.bool("do_lower_case", default: true) ?? true
    return BertNormalizer(
      separatesChineseCharacters: try reader?.bool("tokenize_chinese_chars", default: true) ?? true,
      stripsAccents: try reader?.bool("strip_accents", default: lowercases) ?? lowercases,
      lowercases: lowercases)
  }

  func byteLevel() throws(ApusError) -> ByteLevelPreTokenizer {
    ByteLevelPreTokenizer(
      addsPrefixSpace: try reader?.bool("add_prefix_space", default: false) ?? false, cuts: true,
      writesCharacters: true)
  }
}
