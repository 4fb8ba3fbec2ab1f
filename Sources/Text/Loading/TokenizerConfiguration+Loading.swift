import Formats
import TensorCore

extension TokenizerConfiguration {
  /// Reads lengths, sides and what is done with decoded text from `tokenizer_config.json`.
  mutating func read(_ reader: ConfigurationReader) throws(ApusError) {
    statedPaddingSide = try Self.side("padding_side", reader)
    statedTruncationSide = try Self.side("truncation_side", reader)
    maximumLength = try Self.maximumLength(reader)
    let cleaning = "clean_up_tokenization_spaces"
    if reader.has(cleaning) { cleansUpSpaces = try reader.bool(cleaning) }
  }

  private static func side(_ key: String, _ reader: ConfigurationReader) throws(ApusError) -> TextSide? {
    try reader.has(key) ? reader.choice(key, ["right": TextSide.right, "left": .left]) : nil
  }

  /// The length that a text may have, under its older name where the newer is not there; the files write an absent limit
  /// as 10³⁰.
  private static func maximumLength(_ reader: ConfigurationReader) throws(ApusError) -> Int? {
    reader.passOver([KeysWithoutEffect("the older name of model_max_length", ["max_len"])])
    let name = "model_max_length"
    let key = reader.has(name) || reader.isNull(name) ? name : "max_len"
    guard let value = reader.value(key) else { return nil }
    guard let number = value.double, number >= 1 else {
      throw reader.unexpected(key, value, "a number of tokens from 1 on")
    }
    return number < 1e9 ? Int(number) : nil
  }
}
