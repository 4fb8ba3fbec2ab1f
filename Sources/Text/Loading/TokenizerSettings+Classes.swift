import Formats
import TensorCore

extension TokenizerSettings {
  /// Keys of `tokenizer_config.json` that change no ids, whatever their value.
  static let keysWithoutEffect = [
    KeysWithoutEffect(
      "names of files, of classes and of the program that wrote the file",
      [
        "_commit_hash", "added_tokens_file", "auto_map", "backend", "from_slow", "full_tokenizer_file",
        "is_local", "local_files_only", "merges_file", "model_type", "name_or_path", "processor_class",
        "special_tokens_map_file", "tokenizer_file", "transformers_version", "use_fast", "vocab_file",
        "vocab_type",
      ]),
    KeysWithoutEffect(
      "writing text, and talks",
      [
        "chat_control_tokens", "chat_template", "decode_with_prefix_space", "errors", "response_schema",
        "response_template", "spaces_between_special_tokens", "use_default_system_prompt",
      ]),
    KeysWithoutEffect(
      "what a caller may ask for: cutting and filling up, and what is returned",
      [
        "max_length", "pad_to_multiple_of", "pad_token_type_id", "padding",
        "return_token_type_ids", "stride", "truncation", "truncation_strategy",
      ]),
    KeysWithoutEffect("the places of tokens in the text", ["trim_offsets"]),
    KeysWithoutEffect("the unknown token, which the class or tokenizer.json knows", ["unk_id"]),
    KeysWithoutEffect(
      "settings of tokenizers in Python, which the library no longer has",
      [
        "do_basic_tokenize", "legacy", "never_split", "remove_space", "tokenize_chinese", "wordpieces_prefix",
      ]),
  ]

  /// What CLIP's pieces have at the end of a word.
  static let clipWordEnd = "</w>"
  /// How classes make text of pieces, whatever a `tokenizer.json` says.
  static let clipDecoder = DecoderSequence(
    steps: [ByteLevelDecoder(), SpacedWordEnds(suffix: Array(clipWordEnd.utf8))])
  static let bertDecoder = WordPieceDecoder(continuation: Array("##".utf8), cleansUp: true)
  static let gemmaDecoder = DecoderSequence(
    steps: [
      MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: true), ByteFallbackDecoder(), FusedPieces(),
    ])

  /// What ALBERT's class makes quotation marks of.
  static let albertQuotes = ["``", "''"]

  /// What ALBERT's class does with a text before the character map of its pieces.
  func albertSteps() throws(ApusError) -> [any TextNormalizer] {
    passOver([KeysWithoutEffect("the class AlbertTokenizer, which goes by keep_accents", ["strip_accents"])])
    var steps: [any TextNormalizer] = []
    for quotes in Self.albertQuotes {
      steps.append(PatternReplacer(pattern: .literal(Array(quotes.utf8)), replacement: [UInt8(ascii: "\"")]))
    }
    if try !bool("keep_accents", default: false) {
      steps += [UnicodeNormalizer(form: .nfkd), AccentStripper()]
    }
    if try bool("do_lower_case", default: true) { steps.append(LowercaseNormalizer()) }
    return steps
  }

  /// Which words the classes with unigram models put a mark before.
  func prepending() throws(ApusError) -> Metaspace.Prepending {
    try bool("add_prefix_space", default: true) ? .always : .never
  }

  /// The text of a special token that stands around every text.
  /// - Throws: ``ApusError`` when the files say that there is none.
  func content(_ name: ExactText, among tokens: [ExactText: AddedToken]) throws(ApusError) -> ExactText {
    guard let token = tokens[name] else {
      throw ApusError(
        .configuration, "is null", expected: "a token, which stands around every text", at: name.text,
        file: files[name])
    }
    return token.content
  }

  /// The id of a special token.
  /// - Throws: ``ApusError`` when the vocabulary lacks it, which names the file that states it.
  func id(
    _ name: ExactText, among tokens: [ExactText: AddedToken], in model: any TokenModel
  ) throws(ApusError) -> Int32 {
    let content = try content(name, among: tokens)
    guard let id = model.id(of: content.text) else {
      let advice =
        configurationFile == nil
        ? "Give tokenizer_config.json, which names the special tokens."
        : "Name it there: \(content.clipped) is what the class takes where nothing is said."
      throw ApusError(
        .configuration, "the vocabulary lacks the piece '\(content.clipped)'", at: name.text,
        file: files[name] ?? configurationFile, advice: files[name] == nil ? advice : nil)
    }
    return id
  }

  enum PairTokenizer { case clip, gpt2, roberta }

  /// Which tokenizer a vocabulary of byte-pair encoding belongs to: by its class, else by the pieces that only one
  /// of them has.
  func pairTokenizer(_ vocabulary: Vocabulary, _ path: String) throws(ApusError) -> PairTokenizer {
    try requireClass(among: ["CLIPTokenizer", "GPT2Tokenizer", "RobertaTokenizer"], for: path)
    switch pythonClass {
    case "CLIPTokenizer": return .clip
    case "GPT2Tokenizer": return .gpt2
    case "RobertaTokenizer": return .roberta
    default: break
    }
    if vocabulary.id(of: "a</w>") != nil { return .clip }
    if vocabulary.id(of: "<s>") != nil, vocabulary.id(of: "</s>") != nil { return .roberta }
    if vocabulary.id(of: "<|endoftext|>") != nil { return .gpt2 }
    throw ApusError(
      .unsupportedModel, "a vocabulary of an unknown tokenizer", expected: "one of CLIP, GPT-2 or RoBERTa",
      file: path, advice: "Give tokenizer.json, or tokenizer_config.json with tokenizer_class.")
  }

  /// - Throws: ``ApusError`` when the configuration names a class of other rules.
  func requireClass(among classes: [String], for path: String) throws(ApusError) {
    guard let pythonClass, !classes.contains(pythonClass) else { return }
    throw ApusError(
      .unsupportedModel, "the tokenizer '\(pythonClass.clipped)' from raw files",
      expected: classes.joined(separator: ", "), at: "tokenizer_class", file: path,
      advice: "Give tokenizer.json, which has its rules.")
  }

  /// The special tokens and the further ones, with their ids: as a class of transformers adds them to a vocabulary.
  /// - Parameters:
  ///   - own: further tokens of the class.
  ///   - needsClass: whether, where no file names a class, the special tokens are text like any other, as they are for
  ///     the classes that the `tokenizers` library has for `vocab.json`.
  func addedTokens(
    _ special: [ExactText: AddedToken], own: [AddedToken] = [], model: any TokenModel,
    needsClass: Bool = false
  ) throws(ApusError) -> [AddedToken] {
    var added = AddedTokenList(model: model)
    for (id, token) in numbered ?? [] { try added.append(token, statedID: id) }
    added.appendNew(inOrder(special), extra(besides: own))
    var tokens = added.tokens
    for index in tokens.indices {
      if splitsSpecialTokens, tokens[index].isSpecial { tokens[index].isMatched = false }
      if needsClass, !namesClass { tokens[index].isMatched = false }
    }
    return tokens.sorted { $0.id < $1.id }
  }
}
