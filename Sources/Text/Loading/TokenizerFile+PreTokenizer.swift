import Formats
import TensorCore

extension TokenizerFile {
  /// The pre-tokenizers of the file, in order; none when it names none.
  func preTokenizers() throws(ApusError) -> [any PreTokenizer] {
    guard let reader = try root.optionalObject("pre_tokenizer") else { return [] }
    return try Self.preTokenizers(reader)
  }

  private static func preTokenizers(_ reader: ConfigurationReader) throws(ApusError) -> [any PreTokenizer] {
    switch try reader.string("type") {
    case "Sequence": return try reader.components("pretokenizers", Self.preTokenizers).flatMap(\.self)
    case "BertPreTokenizer": return [BertPreTokenizer()]
    case "Whitespace": return [WhitespaceSplitter()]
    case "WhitespaceSplit": return [PropertySplitter(property: .whitespace, behavior: .removed)]
    case "Punctuation":
      return [PropertySplitter(property: .punctuation, behavior: try behavior(reader, default: .isolated))]
    case "Digits":
      let isAlone = try reader.bool("individual_digits")
      return [PropertySplitter(property: .numeric, behavior: isAlone ? .isolated : .contiguous)]
    case "Metaspace": return [try Metaspace(reader)]
    case "ByteLevel":
      reader.passOver([placesOfTokens])
      return [
        ByteLevelPreTokenizer(
          addsPrefixSpace: try reader.bool("add_prefix_space"),
          cuts: try reader.bool("use_regex", default: true),
          writesCharacters: true)
      ]
    case "Split":
      return [
        PatternSplitter(
          pattern: try TextPattern(reader, "pattern"), behavior: try behavior(reader),
          isInverted: try reader.bool("invert"))
      ]
    case "CharDelimiterSplit":
      return [
        PatternSplitter(
          pattern: .literal(try reader.character("delimiter")), behavior: .removed, isInverted: false)
      ]
    default: throw reader.unknownComponent("pre-tokenizer")
    }
  }

  static let placesOfTokens = KeysWithoutEffect("the places of tokens in the text", ["trim_offsets"])

  private static func behavior(
    _ reader: ConfigurationReader, default fallback: SplitBehavior? = nil
  ) throws(ApusError) -> SplitBehavior {
    try reader.choice(
      "behavior",
      [
        "Removed": .removed, "Isolated": .isolated, "MergedWithPrevious": .mergedWithPrevious,
        "MergedWithNext": .mergedWithNext, "Contiguous": .contiguous,
      ], default: fallback)
  }
}

extension Metaspace {
  /// Reads the settings, which the pre-tokenizer and the decoder of this name share.
  init(_ reader: ConfigurationReader) throws(ApusError) {
    reader.passOver([KeysWithoutEffect("replacement, again", ["str_rep"])])
    mark = try reader.character("replacement")
    splits = try reader.bool("split", default: true)
    let prepending = try reader.choice(
      "prepend_scheme", ["always": Prepending.always, "never": .never, "first": .first], default: .always)
    if try reader.bool("add_prefix_space", default: true) {
      self.prepending = prepending
    } else {
      guard !reader.has("prepend_scheme") || prepending == .never else {
        throw reader.unexpected(
          "prepend_scheme", reader.value("prepend_scheme"), "never, since add_prefix_space is false")
      }
      self.prepending = .never
    }
  }
}

extension ConfigurationReader {
  /// A text of one character, as UTF-8.
  func character(_ key: String) throws(ApusError) -> [UInt8] {
    let text = try string(key)
    guard text.unicodeScalars.count == 1 else {
      throw unexpected(key, .string(ExactText(text)), "one character")
    }
    return Array(text.utf8)
  }
}
