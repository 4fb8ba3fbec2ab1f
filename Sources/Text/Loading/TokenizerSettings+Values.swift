import Formats
import JSONCoding
import TensorCore

extension TokenizerSettings {
  /// Whether a key is true. Null is false, where a missing key leaves the class its way.
  func bool(_ key: String, default value: Bool) throws(ApusError) -> Bool {
    reader?.isNull(key) == true ? false : try reader?.bool(key, default: value) ?? value
  }

  /// Whether a `tokenizer.json` has the rules beside a class too, as the library has it for `trust_remote_code` in the file.
  func goesByFile() throws(ApusError) -> Bool { try bool("trust_remote_code", default: false) }

  func count(_ key: String, default value: Int, upTo limit: Int) throws(ApusError) -> Int {
    try reader?.optionalInteger(key, in: 0...limit) ?? value
  }

  /// Refuses a key that would change the result, unless it has one of these values.
  func require(_ key: String, isOneOf allowed: JSONValue...) throws(ApusError) {
    for value in allowed where reader?.value(key).map({ $0 == value }) ?? true { return }
    throw reader?.unexpected(key, reader?.value(key), "another value", kind: .unsupportedModel)
      ?? ApusError(.unsupportedModel, "is not known", at: key)
  }

  func passOver(_ groups: [KeysWithoutEffect]) { reader?.passOver(groups) }

  func bertNormalizer() throws(ApusError) -> BertNormalizer {
    let lowercases = try bool("do_lower_case", default: true)
    return BertNormalizer(
      separatesChineseCharacters: try bool("tokenize_chinese_chars", default: true),
      // Null is the class's own way here.
      stripsAccents: try reader?.bool("strip_accents", default: lowercases) ?? lowercases,
      lowercases: lowercases)
  }

  func byteLevel() throws(ApusError) -> ByteLevelPreTokenizer {
    ByteLevelPreTokenizer(
      addsPrefixSpace: try bool("add_prefix_space", default: false), cuts: true, writesCharacters: true)
  }
}
