import Formats
import FoundationEssentials
import TensorCore

extension TokenizerFile {
  /// The normalizer of the file; nil when it has none.
  func normalizer() throws(ApusError) -> (any TextNormalizer)? {
    guard let reader = try root.optionalObject("normalizer") else { return nil }
    return try Self.normalizer(reader)
  }

  static func normalizer(_ reader: ConfigurationReader) throws(ApusError) -> any TextNormalizer {
    switch try reader.string("type") {
    case "BertNormalizer": return try bertNormalizer(reader)
    case "NFC": return UnicodeNormalizer(form: .nfc)
    case "NFD": return UnicodeNormalizer(form: .nfd)
    case "NFKC": return UnicodeNormalizer(form: .nfkc)
    case "NFKD": return UnicodeNormalizer(form: .nfkd)
    case "Lowercase": return LowercaseNormalizer()
    case "StripAccents": return AccentStripper()
    case "Strip":
      return SpaceStripper(atStart: try reader.bool("strip_left"), atEnd: try reader.bool("strip_right"))
    case "Prepend": return Prepender(prefix: Array(try reader.string("prepend").utf8))
    case "Nmt": return TranslationNormalizer()
    case "ByteLevel": return ByteLevelNormalizer()
    case "Precompiled": return CharacterMapNormalizer(map: PrecompiledNormalizer(try characterMap(reader)))
    case "Replace":
      return PatternReplacer(
        pattern: try TextPattern(reader, "pattern"), replacement: Array(try reader.string("content").utf8))
    case "Sequence":
      return NormalizerSequence(steps: try reader.components("normalizers", Self.normalizer))
    default: throw reader.unknownComponent("normalizer")
    }
  }

  private static func bertNormalizer(_ reader: ConfigurationReader) throws(ApusError) -> any TextNormalizer {
    let lowercases = try reader.bool("lowercase")
    return BertNormalizer(
      cleansText: try reader.bool("clean_text"),
      separatesChineseCharacters: try reader.bool("handle_chinese_chars"),
      stripsAccents: try reader.bool("strip_accents", default: lowercases), lowercases: lowercases)
  }

  private static func characterMap(_ reader: ConfigurationReader) throws(ApusError) -> PrecompiledCharacterMap
  {
    let text = try reader.string("precompiled_charsmap")
    guard let bytes = Data(base64Encoded: text) else {
      throw reader.unexpected("precompiled_charsmap", .string(ExactText(text)), "base64")
    }
    do throws(ApusError) {
      return try PrecompiledCharacterMap(Array(bytes))
    } catch {
      throw error.at(reader.place("precompiled_charsmap")).inFile(reader.file)
    }
  }
}

extension ConfigurationReader {
  /// The components of a sequence.
  func components<Component>(
    _ key: String, _ component: (ConfigurationReader) throws(ApusError) -> Component
  ) throws(ApusError) -> [Component] {
    guard let objects = try optionalObjects(key, of: "components") else {
      throw unexpected(key, nil, "a list of components")
    }
    var components: [Component] = []
    for object in objects { components.append(try component(object)) }
    return components
  }

  /// An error that names a component that is not known.
  func unknownComponent(_ what: String) -> ApusError {
    ApusError(
      .unsupportedModel, "the \(what) '\(value("type")?.string?.clipped ?? "")' is not known",
      at: place("type"),
      file: file)
  }
}
