import Formats
import TensorCore

/// What the configuration files beside a tokenizer's own files say: `tokenizer_config.json`, and for folders from
/// before it had `added_tokens_decoder`, `special_tokens_map.json` and `added_tokens.json`.
struct TokenizerSettings {
  let reader: ConfigurationReader?
  /// The class in Python, without the mark of its faster twin: as stated, else the usual one of the model.
  let pythonClass: String?
  /// Whether there is a `tokenizer_config.json`, or another file that says which class it is.
  var namesClass: Bool { reader != nil || pythonClass != nil }
  /// Tokens with their flags by the names that classes have for them, such as `pad_token`.
  private(set) var named: [ExactText: AddedToken] = [:]
  /// The names among them that are none of the library's, in its order.
  private var ownNames: [ExactText] = []
  /// The files that say so, null too.
  private(set) var files: [ExactText: String] = [:]
  /// The path of `tokenizer_config.json`; nil when there is none.
  var configurationFile: String? { reader?.file }
  /// The names that are null: tokens that the class would have, and this tokenizer has not.
  private var unnamed: Set<ExactText> = []
  /// Further special tokens, as `extra_special_tokens` states them; nil where it does not.
  private var statedExtra: [AddedToken]?
  /// The same under its older name, which counts where the newer states nothing.
  private var olderExtra: [AddedToken]?
  /// Further special tokens.
  var extra: [AddedToken] { extra(besides: []) }
  /// The names of tokens that files state as objects with flags.
  private(set) var flagged: Set<ExactText> = []
  /// The tokens of `added_tokens_decoder`; nil when it is not there.
  private var stated: [NumberedToken]?
  /// Those of `added_tokens.json`, which is read where the other is not there.
  private var older: [NumberedToken] = []
  /// Whether special tokens in a text are text like any other.
  let splitsSpecialTokens: Bool
  private var base = TokenizerConfiguration()
  /// What was passed over in the older files.
  private var notes: [String] = []

  /// Reads the settings of a folder and passes them to `body`, which builds the tokenizer; then refuses keys that
  /// nothing asked for.
  static func reading(
    _ folder: ModelFolder, _ body: (TokenizerSettings) throws(ApusError) -> Tokenizer
  ) throws(ApusError) -> Tokenizer {
    let tokenizer = try folder.readingIfPresent("tokenizer_config.json") { (reader) throws(ApusError) in
      let settings = try TokenizerSettings(reader, folder)
      var tokenizer = try body(settings)
      tokenizer.notes += settings.notes + reader.notesOnEmptyKeys()
      return tokenizer
    }
    if let tokenizer { return tokenizer }
    let settings = try TokenizerSettings(nil, folder)
    var read = try body(settings)
    read.notes += settings.notes
    return read
  }

  /// - Parameter reader: of `tokenizer_config.json`; nil when there is none.
  init(_ reader: ConfigurationReader?, _ folder: ModelFolder?) throws(ApusError) {
    self.reader = reader
    reader?.passOver(Self.keysWithoutEffect)
    // The library gives these to the class before all else, in the place of the vocabulary.
    try reader?.require("init_inputs", isOneOf: .array([]))
    var stated = try reader?.optionalString("tokenizer_class")
    if stated == nil { stated = try folder?.modelText("tokenizer_class") }
    base.tokenizerClass = stated
    let type = try folder?.modelText("model_type") ?? ""
    let named = Self.onlyClasses[type] ?? stated ?? Self.usualClasses[type]
    pythonClass = named.map { $0.hasSuffix("Fast") ? String($0.dropLast(4)) : $0 }
    base.givesTokenTypes = try Self.givesTokenTypes(reader, pythonClass)
    splitsSpecialTokens = try reader?.bool("split_special_tokens", default: false) ?? false
    if let reader { try base.read(reader) }
    if let reader { try readTokens(reader) }
    if self.stated == nil, let folder { try readOlderFiles(folder) }
    base.specialTokens = Self.texts(self.named)
  }

  /// The classes that transformers takes for a model whose files name none.
  private static let usualClasses = [
    "bert": "BertTokenizer", "distilbert": "BertTokenizer", "roberta": "RobertaTokenizer",
    "xlm-roberta": "XLMRobertaTokenizer", "mpnet": "MPNetTokenizer", "electra": "BertTokenizer",
    "albert": "AlbertTokenizer", "clip": "CLIPTokenizer", "clip_text_model": "CLIPTokenizer",
    "siglip": "SiglipTokenizer", "gpt2": "GPT2Tokenizer", "deberta-v2": "DebertaV2Tokenizer",
    "qwen3": "Qwen2Tokenizer", "nomic_bert": "BertTokenizer", "camembert": "CamembertTokenizer",
  ]

  /// The classes that transformers takes for a model whatever its files name.
  private static let onlyClasses = ["modernbert": "PreTrainedTokenizer", "siglip2": "Siglip2Tokenizer"]

  /// Whether models are given the types of tokens. `PreTrainedTokenizerFast` and `AlbertTokenizer` gave them up to
  /// transformers 4, and do not from 5 on.
  private static func givesTokenTypes(
    _ reader: ConfigurationReader?, _ pythonClass: String?
  ) throws(ApusError) -> Bool? {
    if let names = try reader?.optionalList("model_input_names", of: "names", { $0.string }) {
      return names.contains("token_type_ids")
    }
    switch pythonClass {
    case nil, "BertTokenizer", "ElectraTokenizer", "DebertaV2Tokenizer": return true
    case "PreTrainedTokenizer", "AlbertTokenizer": return nil
    default: return false
    }
  }

  /// The names that the library has for special tokens, in the order in which it gives new ones their ids.
  static let tokenNames: [ExactText] = [
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token",
  ]

  private mutating func readTokens(_ reader: ConfigurationReader) throws(ApusError) {
    if let decoder = try reader.optionalObject("added_tokens_decoder") {
      var tokens: [NumberedToken] = []
      for key in decoder.keys {
        let token = try decoder.object(key)
        guard let id = Int32(key), id >= 0 else {
          throw ApusError(
            .configuration, "the key '\(key.clipped)' is no id", at: decoder.path, file: decoder.file)
        }
        tokens.append(
          NumberedToken(id: id, token: try AddedToken(token), place: decoder.path, file: decoder.file))
      }
      stated = tokens.sorted { $0.id < $1.id }
    }
    for key in reader.keysInOrder where Self.isTokenName(key) { try readName(key, reader) }
    reader.passOver([KeysWithoutEffect("the older name of extra_special_tokens", [ExactText(Self.olderKey)])])
    let names = try readNames(reader)
    if names == nil, reader.has(Self.extraKey) || reader.isNull(Self.extraKey) {
      statedExtra = try tokens(reader, Self.extraKey)
    }
    guard statedExtra?.isEmpty ?? true, reader.has(Self.olderKey) || reader.isNull(Self.olderKey) else {
      return
    }
    // Of an empty list the older name's takes the place, null too; names of their own leave it its own.
    let older = try tokens(reader, Self.olderKey)
    if names ?? 0 > 0 { olderExtra = older } else { statedExtra = older }
  }

  private static let (extraKey, olderKey) = ("extra_special_tokens", "additional_special_tokens")

  /// Reads further special tokens that stand under names of their own.
  /// - Returns: how many do; nil where there is no object of names.
  private mutating func readNames(_ reader: ConfigurationReader) throws(ApusError) -> Int? {
    guard case .object? = reader.value(Self.extraKey) else { return nil }
    let names = try reader.object(Self.extraKey)
    for key in names.keysInOrder { if let token = try token(names, key) { name(key, token, names) } }
    return names.keysInOrder.count
  }

  /// Whether a key is a special token, as any of such a name is, whoever made it up.
  private static func isTokenName(_ key: String) -> Bool {
    key.hasSuffix("_token") && !["add_bos_token", "add_eos_token"].contains(key)
  }

  /// Reads a name. Of names that are not the library's, what is no text and no token of Python's is no token.
  private mutating func readName(_ key: String, _ reader: ConfigurationReader) throws(ApusError) {
    let value = reader.stated(key)
    guard
      Self.tokenNames.contains(ExactText(key)) || value?.string != nil || value?["__type"] != nil
        || value == nil
    else {
      return reader.passOver([KeysWithoutEffect("it is no token", [ExactText(key)])])
    }
    name(key, try token(reader, key), reader)
  }

  /// - Parameter token: nil for a name that is null.
  private mutating func name(_ key: String, _ token: AddedToken?, _ reader: ConfigurationReader) {
    let isObject = if case .object? = reader.stated(key) { true } else { false }
    let key = ExactText(key)
    named[key] = token
    files[key] = reader.file
    if isObject { flagged.insert(key) } else { flagged.remove(key) }
    if token == nil { unnamed.insert(key) } else { unnamed.remove(key) }
    if !Self.tokenNames.contains(key), !ownNames.contains(key) { ownNames.append(key) }
  }

  private mutating func readOlderFiles(_ folder: ModelFolder) throws(ApusError) {
    _ = try folder.readingIfPresent("special_tokens_map.json") { (map) throws(ApusError) in
      try readMap(map)
      notes += map.notesOnEmptyKeys()
    }
    // The library looks for a token among these alone, not among those of other names.
    let special = Set((Self.tokenNames.compactMap { named[$0] } + (statedExtra ?? [])).map(\.content))
    let found = try folder.readingIfPresent("added_tokens.json") { (file) throws(ApusError) in
      var tokens: [NumberedToken] = []
      for content in file.keys {
        let id = Int32(truncatingIfNeeded: try file.integer(content, in: 0...Int(Int32.max)))
        let isSpecial = special.contains(ExactText(content))
        let token = AddedToken(
          id: id, content: ExactText(content), isNormalized: !isSpecial, isSpecial: isSpecial)
        tokens.append(NumberedToken(id: id, token: token, place: content, file: file.file))
      }
      return tokens.sorted { $0.id < $1.id }
    }
    older = found ?? []
  }

  /// The tokens that files state with ids, in the order of those: those of `added_tokens_decoder`, else those of
  /// `added_tokens.json`, and in the place of each the one that a `tokenizer.json` has.
  func numbered(beside file: [NumberedToken]) -> [NumberedToken] {
    if let stated { return stated }
    let tokens = Dictionary((older + file).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return tokens.values.sorted { $0.id < $1.id }
  }

  /// Reads `special_tokens_map.json`, which counts before the configuration for the names that the library has, and after
  /// it for others.
  private mutating func readMap(_ map: ConfigurationReader) throws(ApusError) {
    var first: [ExactText] = []
    for key in map.keysInOrder where Self.isTokenName(key) {
      let (token, exact) = (try token(map, key), ExactText(key))
      if Self.tokenNames.contains(exact) {
        name(key, token, map)
      } else if let token {
        first.append(exact)
        named[exact] = named[exact] ?? token
      }
    }
    ownNames = first + ownNames.filter { !first.contains($0) }
    if map.has(Self.olderKey) { olderExtra = try tokens(map, Self.olderKey) }
    if try readNames(map) != nil {
      statedExtra = nil
    } else if map.has(Self.extraKey) {
      let known = statedExtra ?? []
      statedExtra = known + (try tokens(map, Self.extraKey)).filter { !known.contains($0) }
    }
  }

  /// A special token, which is a text, or an object with its flags.
  private func token(_ reader: ConfigurationReader, _ key: String) throws(ApusError) -> AddedToken? {
    guard case .object? = reader.value(key) else {
      return try reader.optionalString(key).map { AddedToken(special: ExactText($0)) }
    }
    var token = try AddedToken(try reader.object(key), normalizedDefault: false)
    token.isSpecial = true
    return token
  }

  /// A list of special tokens.
  private func tokens(_ reader: ConfigurationReader, _ key: String) throws(ApusError) -> [AddedToken] {
    var tokens: [AddedToken] = []
    switch reader.value(key) {
    case nil: break
    case .array(let values):
      for value in values {
        if let text = value.string {
          tokens.append(AddedToken(special: ExactText(text)))
        } else {
          let object = try ConfigurationReader(value, file: reader.file, path: reader.place(key))
          var token = try AddedToken(object, normalizedDefault: false)
          try object.requireAllRead()
          token.isSpecial = true
          tokens.append(token)
        }
      }
    case let value: throw reader.unexpected(key, value, "a list of tokens")
    }
    return tokens
  }

  /// The special tokens of a class: those of the files, else the usual ones.
  func tokens(_ usual: [ExactText: ExactText]) -> [ExactText: AddedToken] {
    var tokens = usual.mapValues { AddedToken(special: $0) }
    tokens.merge(named) { $1 }
    for name in unnamed { tokens[name] = nil }
    for name in tokens.keys { tokens[name]?.isSpecial = true }
    return tokens
  }

  func tokens(of row: TokenizerClass?) -> [ExactText: AddedToken] {
    var tokens = tokens(row?.tokens ?? [:])
    if row?.stripsBeforeMask == true, !flagged.contains("mask_token") {
      tokens["mask_token"]?.stripsLeft = true
    }
    return tokens
  }

  /// Special tokens in the order in which the library gives new ones their ids.
  func inOrder(_ tokens: [ExactText: AddedToken]) -> [AddedToken] {
    (Self.tokenNames + ownNames).compactMap { tokens[$0] }
  }

  /// Further special tokens.
  /// - Parameter own: those of a class, which count where the files do not state `extra_special_tokens`.
  func extra(besides own: [AddedToken]) -> [AddedToken] {
    statedExtra ?? (own.isEmpty ? olderExtra ?? [] : own)
  }

  /// The configuration with the special tokens that are in use.
  func configuration(_ tokens: [ExactText: AddedToken]) -> TokenizerConfiguration {
    var configuration = base
    configuration.specialTokens.merge(Self.texts(tokens)) { first, _ in first }
    return configuration
  }

  /// Tokens by their names, as texts of Swift.
  private static func texts(_ tokens: [ExactText: AddedToken]) -> [String: String] {
    Dictionary(tokens.map { ($0.key.text, $0.value.content.text) }) { first, _ in first }
  }
}
