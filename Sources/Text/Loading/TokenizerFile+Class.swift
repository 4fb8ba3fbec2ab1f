import Formats
import TensorCore

/// What a tokenizer is put together of.
struct TokenizerParts {
  var normalizer: (any TextNormalizer)?
  var preTokenizers: [any PreTokenizer]
  var model: any TokenModel
  var template: SpecialTokenTemplate
  var decoder: any TokenDecoder
  var addedTokens: [AddedToken]
  /// The tokens that have names.
  var named: [ExactText: AddedToken] = [:]
  /// Nil where the places of tokens are not known.
  var offsetTrimming: [OffsetTrimming]? = []
  /// What the file says and the class does not do.
  var notes: [String] = []
}

/// A `tokenizer.json` as transformers 5 reads it: a class builds its tokenizer anew and takes no more than the pieces and
/// added tokens of the file; without one, the file has the rules.
extension TokenizerFile {
  func parts(_ settings: TokenizerSettings) throws(ApusError) -> TokenizerParts {
    let row = try settings.rowBesideFile(file)
    settings.passOver([
      KeysWithoutEffect(
        "tokenizer.json, which has the tokens around a text", ["add_bos_token", "add_eos_token"]),
      KeysWithoutEffect("tokenizer.json, which has the pieces", ["sp_model_kwargs"]),
    ])
    guard let row, try !settings.goesByFile() else { return try ownParts(row, settings) }
    return try parts(of: row, settings)
  }

  /// The parts as the file has them.
  /// - Parameter row: a class that puts its own tokens around texts all the same.
  private func ownParts(
    _ row: TokenizerClass?, _ settings: TokenizerSettings
  ) throws(ApusError) -> TokenizerParts {
    settings.passOver([
      KeysWithoutEffect("a tokenizer that goes by tokenizer.json", TokenizerClass.allKeys.union(["unk_id"]))
    ])
    let model = try tokenModel()
    let numbers = try numberedTokens()
    var list = AddedTokenList(model: model)
    for number in numbers { try list.append(number) }
    list.beginRound()
    let tokens = settings.tokens(of: row)
    let added = try settings.addedTokens(tokens, beside: numbers, to: list)
    let own = try specialTokenTemplate()
    let template =
      row?.ends?.areThoseOfTheFile == true
      ? nil
      : try row?.template(settings) { (name) throws(ApusError) in
        try settings.id(name, among: tokens, added, in: model)
      }
    return TokenizerParts(
      normalizer: try normalizer(), preTokenizers: try preTokenizers(), model: model,
      template: template ?? own,
      decoder: try decoder(), addedTokens: added, named: tokens, offsetTrimming: try offsetTrimming())
  }

  /// The parts as a class has them.
  private func parts(
    of row: TokenizerClass, _ settings: TokenizerSettings
  ) throws(ApusError) -> TokenizerParts {
    row.passOverOtherKeys(settings)
    let model = try tokenModel(of: row, settings)
    let tokens = settings.tokens(of: row)
    let added = try settings.addedTokens(
      tokens, own: row.further.map { AddedToken(special: $0) }, beside: try numberedTokens(),
      to: AddedTokenList(model: model))
    let own =
      root.has("post_processor") && row.ends?.areThoseOfTheFile ?? true ? try specialTokenTemplate() : nil
    let template = try row.template(settings) { (name) throws(ApusError) in
      try settings.id(name, among: tokens, added, in: model)
    }
    var parts = TokenizerParts(
      normalizer: try row.normalizer(settings, try characterMap()), preTokenizers: try row.cuts(settings),
      model: model, template: own ?? template ?? SpecialTokenTemplate(), decoder: try row.decoder(settings),
      addedTokens: added, named: tokens)
    parts.offsetTrimming = try row.ends == nil ? offsetTrimming() : settings.offsetTrimming(row)
    parts.notes = try notes(on: parts, row, settings)
    root.passOver([
      KeysWithoutEffect(
        "the class, which has its own", ["normalizer", "pre_tokenizer", "post_processor", "decoder"])
    ])
    return parts
  }

  /// The character map of the pieces, which is all that classes take of the file's normalizer.
  private func characterMap() throws(ApusError) -> CharacterMapNormalizer? {
    guard let stated = root.stated("normalizer") else { return nil }
    var steps = [stated]
    if case .array(let parts)? = stated["normalizers"] { steps = parts }
    guard let map = steps.first(where: { $0["type"]?.string == "Precompiled" }) else { return nil }
    let reader = try ConfigurationReader(map, file: file, path: "normalizer")
    return try Self.normalizer(reader) as? CharacterMapNormalizer
  }
}

extension TokenizerSettings {
  /// The class that builds a tokenizer anew beside a `tokenizer.json`; nil where the file has the rules.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a class of transformers that Apus does not know.
  fileprivate func rowBesideFile(_ file: String) throws(ApusError) -> TokenizerClass? {
    guard let pythonClass,
      !["PreTrainedTokenizer", "TokenizersBackend", "SiglipTokenizer"].contains(pythonClass)
    else { return nil }
    if let row = TokenizerClass.rows[pythonClass] { return row }
    throw ApusError(
      .unsupportedModel, "the class \(pythonClass.clipped) beside tokenizer.json, which has rules of its own",
      expected:
        "\(TokenizerClass.rows.keys.sorted().joined(separator: ", ")), SiglipTokenizer or PreTrainedTokenizerFast",
      at: "tokenizer_class", file: file,
      advice: "Name PreTrainedTokenizerFast in tokenizer_config.json if tokenizer.json has the rules.")
  }

  /// Which spaces are left out of the places of tokens.
  func offsetTrimming(_ row: TokenizerClass) throws(ApusError) -> [OffsetTrimming] {
    guard row.trimsOffsets, try bool("trim_offsets", default: true) else { return [] }
    return [OffsetTrimming(addsPrefixSpace: try bool("add_prefix_space", default: false))]
  }
}
