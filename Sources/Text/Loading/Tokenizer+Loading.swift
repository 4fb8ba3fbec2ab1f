import Formats
import TensorCore

extension Tokenizer {
  /// Loads the tokenizer of a model.
  /// - Parameter path: the folder of a model, the name of a repository in the Hugging Face cache, or one of the
  ///   files `tokenizer.json`, `vocab.txt`, `vocab.json` (with `merges.txt` beside it) and `*.model`.
  /// - Throws: ``ApusError`` when no file of a tokenizer is there, or it is malformed, or it asks for something
  ///   that Apus does not do.
  public init(contentsOf path: String) throws(ApusError) {
    guard FileSystem.isFile(path) else {
      try self.init(folder: try ModelFolder(path))
      return
    }
    let (place, name) = (FileName.folder(of: path), FileName.last(of: path))
    let folder = try ModelFolder(place.isEmpty ? "." : place)
    self = try TokenizerSettings.reading(folder) { (settings) throws(ApusError) in
      try Tokenizer(file: name, in: folder, settings)
    }
  }

  /// Loads the tokenizer of a folder: `tokenizer.json` where there is one, else the raw files. Python's
  /// `SiglipTokenizer` reads nothing but `spiece.model`, and so does this one for it; other classes have a raw file
  /// that is theirs too.
  package init(folder: ModelFolder) throws(ApusError) {
    self = try TokenizerSettings.reading(folder) { (settings) throws(ApusError) in
      let models =
        switch settings.pythonClass {
        case "AlbertTokenizer", "SiglipTokenizer", "T5Tokenizer": ["spiece.model"]
        case "XLMRobertaTokenizer": ["sentencepiece.bpe.model"]
        case "DebertaV2Tokenizer": ["spm.model"]
        default: ["spiece.model", "tokenizer.model", "sentencepiece.bpe.model", "spm.model"]
        }
      var names = ["tokenizer.json", "vocab.txt", "vocab.json"] + models
      if settings.pythonClass == "SiglipTokenizer" { names = models + names }
      guard let name = names.first(where: { folder.file($0) != nil }) else {
        throw ApusError(
          .file, "has no tokenizer", expected: "one of \(names.joined(separator: ", "))", file: folder.path)
      }
      return try Tokenizer(file: name, in: folder, settings)
    }
  }

  private init(file name: String, in folder: ModelFolder, _ settings: TokenizerSettings) throws(ApusError) {
    let path = "\(folder.path)/\(name)"
    if name.hasSuffix(".model") {
      try self.init(sentencePiece: path, settings)
    } else if name.hasSuffix(".txt") {
      try self.init(words: path, settings)
    } else if name == "vocab.json" || name.hasSuffix("-vocab.json") {
      try self.init(pairs: path, settings, folder: folder)
    } else {
      try self.init(try TokenizerFile(contentsOf: path), settings)
    }
  }

  /// Reads the bytes of a `tokenizer.json`.
  /// - Parameter file: how errors name them.
  package init(tokenizerJSON bytes: [UInt8], file: String) throws(ApusError) {
    try self.init(try TokenizerFile(bytes, file: file), try TokenizerSettings(nil, nil))
  }

  private init(_ file: TokenizerFile, _ settings: TokenizerSettings) throws(ApusError) {
    do throws(ApusError) {
      if let version = file.root.value("version"), version.string != "1.0" {
        throw file.root.unexpected("version", version, "\"1.0\"", kind: .unsupportedModel)
      }
      let parts = try file.parts(settings)
      var configuration = settings.configuration(parts.named)
      configuration.truncation = try file.truncation()
      configuration.padding = try file.padding()
      self.init(parts, configuration)
      try file.requireAllRead()
    } catch {
      throw error.inFile(file.file)
    }
  }

  /// Puts the parts of a tokenizer together.
  init(_ parts: TokenizerParts, _ configuration: TokenizerConfiguration) {
    var (preTokenizers, model) = (parts.preTokenizers, parts.model)
    let addedTokens = parts.addedTokens
    Self.readBytesDirectly(&preTokenizers, &model)
    let rules: any TextNormalizer = parts.normalizer ?? NormalizerSequence(steps: [])
    let normalized = rules.forms(of: addedTokens.filter { $0.isNormalized && $0.isMatched })
    let pipeline = Pipeline(
      normalizer: parts.normalizer, preTokenizers: preTokenizers, model: model,
      literalTokens: AddedTokenMatcher(
        addedTokens.filter { !$0.isNormalized && $0.isMatched }.map { ($0, Array($0.content.utf8)) }),
      normalizedTokens: AddedTokenMatcher(normalized))
    let forms = normalized.map { ($0.token.id, ExactText(String(decoding: $0.pattern, as: UTF8.self))) }
    let names = TokenNames(
      model: model, added: addedTokens, normalizedForms: Dictionary(forms, uniquingKeysWith: { $1 }))
    var configuration = configuration
    if configuration.paddingID == nil, let token = configuration.specialTokens["pad_token"] {
      let added = addedTokens.first { $0.content == ExactText(token) }?.id
      configuration.paddingID = added ?? model.id(of: token)
    }
    // The library passes over the setting where byte-pair encoding has its spaces right already.
    let isPairs = model is BytePairEncoding || model is ByteLevelPairEncoding
    let cleansUp = configuration.cleansUpSpaces && !isPairs
    self.init(
      pipeline: pipeline, template: parts.template,
      decoder: cleansUp ? DecoderSequence(steps: [parts.decoder, CleanedText()]) : parts.decoder,
      names: names,
      configuration: configuration)
    (offsetTrimming, notes) = (parts.offsetTrimming, parts.notes)
  }

  /// Where bytes are written as characters last of all, the model can as well take the bytes; and text cut by
  /// CLIP's expression is not cut further by that of GPT-2.
  private static func readBytesDirectly(
    _ preTokenizers: inout [any PreTokenizer], _ model: inout any TokenModel
  ) {
    guard var last = preTokenizers.last as? ByteLevelPreTokenizer, let base = model as? BytePairEncoding
    else { return }
    last.writesCharacters = false
    if !last.addsPrefixSpace, let splitter = preTokenizers.dropLast().last as? PatternSplitter,
      case .clip = splitter.pattern, splitter.isInverted, splitter.behavior == .removed
    {
      last.cuts = false
    }
    preTokenizers[preTokenizers.count - 1] = last
    model = ByteLevelPairEncoding(base)
  }
}
