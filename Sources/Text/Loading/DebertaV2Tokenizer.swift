import Formats
import TensorCore

/// DeBERTa's class of tokenizers, as transformers 5 has it: composed characters, and words by their marks alone. It knows
/// no character map: what a sentencepiece model or a file of an older version says of one is passed over.
extension TokenizerSettings {
  /// What the class takes for white space that is one space.
  private static let spaces = #"\s{2,}|[\n\r\t]"#

  /// What is done with a text before it is cut.
  func deBERTaSteps() throws(ApusError) -> [any TextNormalizer] {
    var steps: [any TextNormalizer] = []
    if try bool("do_lower_case", default: false) { steps.append(LowercaseNormalizer()) }
    steps.append(
      PatternReplacer(pattern: try TextPattern(expression: Self.spaces), replacement: [UInt8(ascii: " ")]))
    steps.append(UnicodeNormalizer(form: .nfc))
    steps.append(SpaceStripper(atStart: false, atEnd: true))
    return steps
  }

  /// How a text is cut into words.
  func deBERTaWords() throws(ApusError) -> [any PreTokenizer] {
    let marks = try deBERTaMarks()
    guard try bool("split_by_punct", default: false) else { return [marks] }
    return [PropertySplitter(property: .punctuation, behavior: .isolated), marks]
  }

  fileprivate func deBERTaMarks() throws(ApusError) -> Metaspace {
    Metaspace(
      mark: UTF8Bytes.spaceMark, prepending: try bool("add_prefix_space", default: true) ? .always : .first,
      splits: true)
  }

  /// The text of the unknown token, whose piece counts as such where it has the score 0.
  fileprivate var deBERTaUnknownPiece: ExactText {
    tokens(Self.deBERTaTokens)["unk_token"]?.content ?? ""
  }

  static let deBERTaDecoder = MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: false)
}

extension TokenizerFile {
  /// The rules of the class for a file with those of transformers 4 or 5, which differ in characters that have a
  /// composed or compatible form, and in white space.
  func applyDeBERTa(_ settings: TokenizerSettings, _ rules: inout Rules) throws(ApusError) {
    try requireUnigram(settings)
    try requireDeBERTaSteps(settings)
    let words = try settings.deBERTaWords()
    let types = (words.count > 1 ? ["Punctuation"] : []) + ["Metaspace"]
    try requireTypes("pre_tokenizer", "pretokenizers", [types], settings)
    if let stated = rules.preTokenizers.last as? Metaspace {
      try require(stated, try settings.deBERTaMarks(), settings)
    }
    let unknown = settings.deBERTaUnknownPiece
    let stated = try settings.count("unk_id", default: 1, upTo: Int(Int32.max))
    let id = tables.scores?.firstIndex { ExactText($0.piece) == unknown && $0.score == 0 } ?? stated
    try model?.require("unk_id", isOneOf: .number("\(id)"))
    try model?.require("byte_fallback", isOneOf: .bool(false))
    rules.normalizer = NormalizerSequence(steps: try settings.deBERTaSteps())
    rules.preTokenizers = words
    rules.decoder = TokenizerSettings.deBERTaDecoder
  }

  private func requireDeBERTaSteps(_ settings: TokenizerSettings) throws(ApusError) {
    let lowercases = try settings.bool("do_lower_case", default: false)
    var found = normalizerSteps
    let lowers = found.first == "Lowercase"
    if lowers { found.removeFirst() }
    let isKnown = Self.deBERTaSteps.contains(found)
    guard !isKnown || lowers != lowercases else { return }
    throw ApusError(
      .unsupportedModel, "is \(normalizerSteps.joined(separator: ", ").clipped)",
      expected: ((lowercases ? ["Lowercase"] : []) + Self.deBERTaSteps[0]).joined(separator: ", "),
      at: "normalizer", file: file,
      advice: isKnown
        ? "Say \"do_lower_case\": \(lowers) in tokenizer_config.json if the file is right."
        : Self.goingByTheFile(settings))
  }

  /// The steps behind that of lower case: those of version 5, then those of version 4 without a character map and with one.
  private static let deBERTaSteps = [
    [replacement(#"/\s{2,}|[\n\r\t]/"#, " "), "NFC", stripAtEnd], ["Strip", replacement("/ {2,}/", " ")],
    ["Strip", "Precompiled", replacement("/ {2,}/", " ")],
  ]
}

extension Tokenizer {
  /// As `DebertaV2Tokenizer` of `transformers`, between `[CLS]` and `[SEP]`; the mask, if the model has none, follows its
  /// last piece.
  init(deBERTa file: SentencePieceModel, _ settings: TokenizerSettings) throws(ApusError) {
    let pieces = try file.unigramPieces(for: "DebertaV2Tokenizer")
    let unknown = settings.deBERTaUnknownPiece
    let id = pieces.firstIndex { ExactText($0.piece) == unknown && $0.score == 0 }
    let model = try UnigramModel(
      pieces: pieces, unknownID: id ?? Int(file.trainer.unknownID), byteFallback: false)
    let tokens = settings.tokens(TokenizerSettings.deBERTaTokens)
    self.init(
      normalizer: NormalizerSequence(steps: try settings.deBERTaSteps()),
      preTokenizers: try settings.deBERTaWords(), model: model,
      template: .bert(
        start: try settings.id("cls_token", among: tokens, in: model),
        end: try settings.id("sep_token", among: tokens, in: model)),
      decoder: TokenizerSettings.deBERTaDecoder,
      addedTokens: try settings.addedTokens(tokens, own: file.wholeTokens, model: model),
      configuration: settings.configuration(tokens))
  }
}
