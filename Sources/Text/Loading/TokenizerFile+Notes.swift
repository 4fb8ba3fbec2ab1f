import Formats
import JSONCoding
import TensorCore

/// Where a `tokenizer.json` says otherwise than the class that builds the tokenizer anew.
extension TokenizerFile {
  /// A note where the file has other rules than the class.
  func notes(
    on parts: TokenizerParts, _ row: TokenizerClass, _ settings: TokenizerSettings
  ) throws(ApusError) -> [String] {
    var others = otherOptions(parts.model, row, settings)
    if let own = try ownRules() {
      if own.words(of: Self.probe) != Words(parts).words(of: Self.probe) {
        others.insert("rules for words", at: 0)
      }
      if own.template.ids != parts.template.ids { others.append("tokens around texts") }
    } else {
      others.insert("rules for words", at: 0)
    }
    guard !others.isEmpty else { return [] }
    return [
      "\(file): has other \(others.joined(separator: ", ")) than \(settings.pythonClass ?? "the class"), which counts as in "
        + "transformers 5. Name PreTrainedTokenizerFast as tokenizer_class in tokenizer_config.json if the file is right."
    ]
  }

  /// Text of the kinds that rules differ in: shortened words, digits, capitals, quotation marks, accents, more than
  /// one space, Chinese. It has no compatible or decomposed forms, which files of older versions change otherwise.
  private static let probe =
    "It's 2024, isn't  it? ``\u{C9}lan'' na\u{EF}ve x_y <b> \u{4E2D}\u{56FD} \u{265E}!"

  /// The rules as the file has them; nil for some that Apus does not know.
  private func ownRules() throws(ApusError) -> Words? {
    let copy = TokenizerFile(copying: self)
    do throws(ApusError) {
      return Words(
        normalizer: try copy.normalizer(), preTokenizers: try copy.preTokenizers(),
        template: try copy.specialTokenTemplate())
    } catch {
      guard error.kind == .unsupportedModel else { throw error }
      return nil
    }
  }

  /// The options of the model that are others in the file.
  private func otherOptions(
    _ own: any TokenModel, _ row: TokenizerClass, _ settings: TokenizerSettings
  ) -> [String] {
    let unknown = JSONValue.string(settings.tokens(of: row)["unk_token"]?.content ?? "")
    let (no, none) = (JSONValue.bool(false), JSONValue.string(""))
    let options: [(key: String, own: JSONValue, usual: JSONValue)] =
      switch row.model {
      case .wordPiece:
        [
          ("unk_token", unknown, .null), ("continuing_subword_prefix", .string("##"), .null),
          ("max_input_chars_per_word", .number("100"), .null),
        ]
      case .pairs(let options, let namesUnknown):
        [
          ("end_of_word_suffix", .string(ExactText(options.wordEnd)), none),
          ("continuing_subword_prefix", none, none),
          ("fuse_unk", .bool(options.joinsUnknown), no),
          ("byte_fallback", .bool(options.fallsBackToBytes), no),
          ("ignore_merges", no, no),
        ] + (namesUnknown ? [("unk_token", unknown, .null)] : [])
      case .unigram:
        [
          ("byte_fallback", no, no),
          ("unk_id", .number("\((own as? UnigramModel)?.unknownID ?? 0)"), .null),
        ]
      }
    return options.filter { (model?.stated($0.key) ?? $0.usual) != $0.own }.map { "model.\($0.key)" }
  }
}

/// How a text becomes words.
private struct Words {
  let normalizer: (any TextNormalizer)?
  let preTokenizers: [any PreTokenizer]
  let template: SpecialTokenTemplate

  init(normalizer: (any TextNormalizer)?, preTokenizers: [any PreTokenizer], template: SpecialTokenTemplate) {
    (self.normalizer, self.preTokenizers, self.template) = (normalizer, preTokenizers, template)
  }

  init(_ parts: TokenizerParts) {
    self.init(normalizer: parts.normalizer, preTokenizers: parts.preTokenizers, template: parts.template)
  }

  func words(of text: String) -> [[UInt8]] {
    var normalized = NormalizedText(bytes: Array(text.utf8), startsAtOrigin: true)
    normalizer?.normalize(&normalized)
    var words = PreTokenizedText(normalized)
    for preTokenizer in preTokenizers { preTokenizer.apply(to: &words) }
    return words.pieces.map { Array(words.bytes[$0]) }
  }
}

extension SpecialTokenTemplate {
  /// The ids around texts, whatever their types, and nil where a text stands.
  fileprivate var ids: [[Int32]?] {
    (single + pair).map { part in if case .special(let ids, _) = part { ids } else { nil } }
  }
}
