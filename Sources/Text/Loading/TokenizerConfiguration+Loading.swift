import Formats
import TensorCore

extension TokenizerConfiguration {
  /// Special tokens by the names that `tokenizer_config.json` has for them.
  private static let tokenNames = [
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token",
  ]

  /// Reads `tokenizer_config.json` of a folder, where there is one.
  package init(folder: ModelFolder) throws(ApusError) {
    self.init()
    guard let reader = try folder.optionalConfiguration("tokenizer_config.json") else { return }
    tokenizerClass = try reader.optionalString("tokenizer_class")
    paddingSide = try reader.choice(
      "padding_side", ["right": TextSide.right, "left": .left], default: .right)
    truncationSide = try reader.choice(
      "truncation_side", ["right": TextSide.right, "left": .left], default: .right)
    maximumLength = try Self.maximumLength(reader)
    for name in Self.tokenNames {
      if let token = try Self.token(reader, name) { specialTokens[name] = token }
    }
    guard let decoder = try reader.optionalObject("added_tokens_decoder") else { return }
    for key in decoder.keys {
      let token = try decoder.object(key)
      guard let id = Int32(key), id >= 0 else {
        throw ApusError(
          .configuration, "the key '\(key.clipped)' is no id", at: decoder.path, file: decoder.file)
      }
      if try token.string("content") == specialTokens["pad_token"] { paddingID = id }
    }
  }

  /// The length that a text may have; the files write an absent limit as 10³⁰.
  private static func maximumLength(_ reader: ConfigurationReader) throws(ApusError) -> Int? {
    guard let value = reader.value("model_max_length") else { return nil }
    guard let number = value.double, number >= 1 else {
      throw reader.unexpected("model_max_length", value, "a number of tokens from 1 on")
    }
    return number < 1e9 ? Int(number) : nil
  }

  /// A special token, which is a text or an object with it.
  private static func token(_ reader: ConfigurationReader, _ key: String) throws(ApusError) -> String? {
    if case .object = reader.value(key) { return try reader.object(key).string("content") }
    return try reader.optionalString(key)
  }
}
