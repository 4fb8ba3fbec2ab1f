import Formats
import TensorCore

/// The rules of a `tokenizer.json` as the class of the tokenizer has them.
///
/// The classes of transformers build their tokenizer anew, and take no more than the vocabulary from the file: what
/// `tokenizer_config.json` says about them holds. Here it does too, and a file that has other rules than its class is
/// refused, for other libraries go by the file.
extension TokenizerFile {
  struct Rules {
    var normalizer: (any TextNormalizer)?
    var preTokenizers: [any PreTokenizer]
    var template: SpecialTokenTemplate
    var decoder: any TokenDecoder
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` where file and class differ.
  func rules(
    _ settings: TokenizerSettings, _ model: any TokenModel
  ) throws(ApusError) -> (Rules, [AddedToken]) {
    var rules = Rules(
      normalizer: try normalizer(), preTokenizers: try preTokenizers(), template: try specialTokenTemplate(),
      decoder: try decoder())
    var usual: [ExactText: ExactText] = [:]
    var isBuiltAnew = true
    switch settings.pythonClass {
    case "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer":
      usual = TokenizerSettings.bertTokens
      try applyBert(settings, &rules)
      try require(rules.template, .bert, settings, usual, ("cls_token", "sep_token"), model)
    case "MPNetTokenizer":
      usual = TokenizerSettings.mpnetTokens
      try applyBert(settings, &rules)
      try require(rules.template, .roberta, settings, usual, ("cls_token", "sep_token"), model)
    case "RobertaTokenizer":
      usual = TokenizerSettings.robertaTokens
      try applyRoberta(settings, &rules)
      try require(rules.template, .roberta, settings, usual, ("cls_token", "sep_token"), model)
    case "XLMRobertaTokenizer":
      usual = TokenizerSettings.robertaTokens
      try applyXLMRoberta(settings, &rules)
      try require(rules.template, .roberta, settings, usual, ("bos_token", "eos_token"), model)
    case "AlbertTokenizer":
      usual = TokenizerSettings.albertTokens
      try applyAlbert(settings, &rules)
      try require(rules.template, .bert, settings, usual, ("cls_token", "sep_token"), model)
    case "DebertaV2Tokenizer":
      usual = TokenizerSettings.deBERTaTokens
      try applyDeBERTa(settings, &rules)
      try require(rules.template, .bert, settings, usual, ("cls_token", "sep_token"), model)
    case "CLIPTokenizer":
      try requirePairs(wordEnd: ExactText(TokenizerSettings.clipWordEnd))
      rules.decoder = TokenizerSettings.clipDecoder
      usual = TokenizerSettings.clipTokens
      try requireTypes("normalizer", "normalizers", [["NFC", "Replace", "Lowercase"]], settings)
      try requireTypes("pre_tokenizer", "pretokenizers", [["Split", "ByteLevel"]], settings)
      settings.passOver([KeysWithoutEffect("the class CLIPTokenizer, which has its rules", Self.clipKeys)])
      try require(rules.template, .roberta, settings, usual, ("bos_token", "eos_token"), model)
    case nil, "PreTrainedTokenizer", "TokenizersBackend", "SiglipTokenizer":
      isBuiltAnew = false
      settings.passOver([
        KeysWithoutEffect(
          "a tokenizer that goes by tokenizer.json",
          Self.clipKeys.union(["add_prefix_space", "keep_accents", "split_by_punct"]))
      ])
    case "GPT2Tokenizer": try applyRoberta(settings, &rules)
    case "GemmaTokenizer":
      try requireTypes("normalizer", "normalizers", [["Replace"]], settings)
      try requireTypes("pre_tokenizer", "pretokenizers", [[], ["Split"]], settings)
      rules.decoder = TokenizerSettings.gemmaDecoder
    case let name?:
      throw ApusError(
        .unsupportedModel, "the class \(name.clipped) beside tokenizer.json, which has rules of its own",
        expected: Self.classes, at: "tokenizer_class", file: file,
        advice: "Name PreTrainedTokenizerFast in tokenizer_config.json if tokenizer.json has the rules.")
    }
    settings.passOver([
      KeysWithoutEffect(
        "tokenizer.json, which has the tokens around a text",
        ["add_bos_token", "add_eos_token", "sp_model_kwargs"])
    ])
    return (rules, try addedTokens(settings, usual, model, isBuiltAnew: isBuiltAnew))
  }

  private static let classes = """
    BertTokenizer, DistilBertTokenizer, ElectraTokenizer, MPNetTokenizer, RobertaTokenizer, XLMRobertaTokenizer, \
    AlbertTokenizer, DebertaV2Tokenizer, CLIPTokenizer, GPT2Tokenizer, GemmaTokenizer, SiglipTokenizer or PreTrainedTokenizerFast
    """
  private static let clipKeys: Set<ExactText> = ["do_lower_case", "strip_accents", "tokenize_chinese_chars"]

  private func applyBert(_ settings: TokenizerSettings, _ rules: inout Rules) throws(ApusError) {
    let normalizer = try settings.bertNormalizer()
    // sentence-transformers saves a step of lower case in front, which the class drops: without effect before its own.
    let lowercased = normalizer.lowercases ? [["Lowercase", "BertNormalizer"]] : []
    try requireTypes("normalizer", "normalizers", [["BertNormalizer"]] + lowercased, settings)
    try requireTypes("pre_tokenizer", "pretokenizers", [["BertPreTokenizer"]], settings)
    let stated = try root.object("normalizer")
    let steps = try stated.optionalObjects("normalizers", of: "components") ?? [stated]
    for step in steps { try step.require("clean_text", isOneOf: .bool(true)) }
    try model?.require("continuing_subword_prefix", isOneOf: .string("##"))
    try model?.require("max_input_chars_per_word", isOneOf: .number("100"))
    let unknown = settings.tokens(TokenizerSettings.bertTokens)["unk_token"]?.content ?? ""
    try model?.require("unk_token", isOneOf: .string(unknown))
    rules.normalizer = normalizer
    rules.decoder = TokenizerSettings.bertDecoder
  }

  private func applyRoberta(_ settings: TokenizerSettings, _ rules: inout Rules) throws(ApusError) {
    try requireTypes("normalizer", "normalizers", [[]], settings)
    try requireTypes("pre_tokenizer", "pretokenizers", [["ByteLevel"]], settings)
    try root.object("pre_tokenizer").require("use_regex", isOneOf: .bool(true))
    try requirePairs(wordEnd: "")
    rules.preTokenizers = [try settings.byteLevel()]
    rules.decoder = ByteLevelDecoder()
  }

  /// Refuses other options of byte-pair encoding than the classes have.
  private func requirePairs(wordEnd: ExactText) throws(ApusError) {
    try model?.require("continuing_subword_prefix", isOneOf: .string(""))
    guard let suffix = try model?.string("end_of_word_suffix", default: ""), ExactText(suffix) == wordEnd
    else {
      throw ApusError(
        .unsupportedModel, "is another than that of the class", expected: "\"\(wordEnd)\"",
        at: "model.end_of_word_suffix", file: file)
    }
    for key in ["fuse_unk", "byte_fallback", "ignore_merges"] {
      try model?.require(key, isOneOf: .bool(false))
    }
  }

  /// Refuses components of other types than the class has.
  func requireTypes(
    _ key: String, _ list: ExactText, _ allowed: [[String]], _ settings: TokenizerSettings
  ) throws(ApusError) {
    func types(_ value: JSONValue?) -> [String] {
      guard case .array(let parts)? = value?[list] else { return [value?["type"]?.string].compactMap(\.self) }
      return parts.flatMap(types)
    }
    let found = types(root.stated(key))
    guard !allowed.contains(found) else { return }
    throw ApusError(
      .unsupportedModel, "is \(found.isEmpty ? "none" : found.joined(separator: ", ").clipped)",
      expected: allowed.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }.joined(separator: " or "),
      at: key, file: file, advice: Self.goingByTheFile(settings))
  }

  /// What to do about a file whose rules are not those of the class.
  static func goingByTheFile(_ settings: TokenizerSettings) -> String {
    "\(settings.pythonClass ?? "The class") has other rules than the file: "
      + "name PreTrainedTokenizerFast in tokenizer_config.json if the file is right."
  }

  /// The two forms that classes have for the tokens around texts.
  private enum Form { case bert, roberta }

  /// Refuses a file whose tokens around texts are not those of the class.
  private func require(
    _ template: SpecialTokenTemplate, _ form: Form, _ settings: TokenizerSettings,
    _ usual: [ExactText: ExactText],
    _ ends: (start: ExactText, end: ExactText), _ model: any TokenModel
  ) throws(ApusError) {
    let tokens = settings.tokens(usual)
    let added = try addedTokens(settings, usual, model)
    func id(_ name: ExactText) throws(ApusError) -> Int32 {
      let content = try settings.content(name, among: tokens)
      guard let id = added.first(where: { $0.content == content })?.id ?? model.id(of: content.text) else {
        throw ApusError(
          .configuration, "the vocabulary lacks the piece '\(content.clipped)'", at: name.text,
          file: settings.files[name] ?? file)
      }
      return id
    }
    let (start, end) = (try id(ends.start), try id(ends.end))
    let expected: SpecialTokenTemplate =
      form == .bert ? .bert(start: start, end: end) : .roberta(start: start, end: end)
    guard template.single == expected.single, template.pair == expected.pair else {
      throw ApusError(
        .unsupportedModel, "the tokens around texts are not those of the class",
        expected: "\(tokens[ends.start]?.content ?? "") and \(tokens[ends.end]?.content ?? ""), as "
          + "\(settings.pythonClass ?? "") has them", at: "post_processor", file: file)
    }
  }

  /// The tokens added to the vocabulary: those of the file, then those that the settings name besides.
  /// - Parameter isBuiltAnew: whether a class adds all of them at once.
  /// - Throws: ``ApusError`` where the settings state a token of the file with another id or other flags.
  private func addedTokens(
    _ settings: TokenizerSettings, _ usual: [ExactText: ExactText], _ model: any TokenModel,
    isBuiltAnew: Bool = true
  ) throws(ApusError) -> [AddedToken] {
    var list = try addedTokenList(model: model)
    if !isBuiltAnew { list.beginRound() }
    let named = settings.inOrder(settings.tokens(usual))
    if let numbered = settings.numbered, !usual.isEmpty {
      // A class that finds its added tokens in the settings does not look for them here.
      let stated = Set((numbered.map(\.token) + named + settings.extra).map(\.content))
      for token in list.tokens where !stated.contains(token.content) {
        throw conflict(token.content, token.id)
      }
    }
    for (id, token) in settings.numbered ?? [] {
      if let known = list.token(token.content) {
        guard known.id == id, known.matches(token) else { throw conflict(token.content, id) }
      } else {
        try list.append(token, statedID: id)
      }
    }
    for token in named + settings.extra {
      guard var known = list.token(token.content) else { continue }
      known.isSpecial = token.isSpecial
      guard token.hasUsualFlags || known.matches(token) else { throw conflict(token.content, known.id) }
    }
    list.appendNew(named, settings.extra)
    return list.tokens.map { token in
      var token = token
      if settings.splitsSpecialTokens, token.isSpecial { token.isMatched = false }
      return token
    }
  }

  private func conflict(_ content: ExactText, _ id: Int32) -> ApusError {
    ApusError(
      .unsupportedModel, "the token '\(content.clipped)' is stated otherwise in tokenizer_config.json",
      expected: "the same id and flags", at: "added_tokens", file: file)
  }
}

extension AddedToken {
  /// Whether both are found in text in the same way.
  fileprivate func matches(_ other: AddedToken) -> Bool {
    isSingleWord == other.isSingleWord && stripsLeft == other.stripsLeft && stripsRight == other.stripsRight
      && isNormalized == other.isNormalized && isSpecial == other.isSpecial
  }

  /// Whether the flags are those of a token written as a text.
  var hasUsualFlags: Bool { matches(AddedToken(special: content)) }
}
