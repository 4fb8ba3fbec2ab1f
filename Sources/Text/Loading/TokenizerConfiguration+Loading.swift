import Formats
import TensorCore

extension TokenizerConfiguration {
  /// Reads lengths and sides from `tokenizer_config.json`.
  mutating func read(_ reader: ConfigurationReader) throws(ApusError) {
    let sides: KeyValuePairs = ["right": TextSide.right, "left": .left]
    paddingSide = try reader.choice("padding_side", sides, default: .right)
    truncationSide = try reader.choice("truncation_side", sides, default: .right)
    maximumLength = try Self.maximumLength(reader)
  }

  /// The length that a text may have; the files write an absent limit as 10³⁰.
  private static func maximumLength(_ reader: ConfigurationReader) throws(ApusError) -> Int? {
    guard let value = reader.value("model_max_length") else { return nil }
    guard let number = value.double, number >= 1 else {
      throw reader.unexpected("model_max_length", value, "a number of tokens from 1 on")
    }
    return number < 1e9 ? Int(number) : nil
  }
}
