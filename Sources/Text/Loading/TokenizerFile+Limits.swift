import Formats
import TensorCore

extension TokenizerFile {
  private static let maximumLength = 1 << 24

  /// The cut that the file asks for.
  func truncation() throws(ApusError) -> Truncation? {
    guard let reader = try root.optionalObject("truncation") else { return nil }
    reader.passOver([KeysWithoutEffect("pairs, and the parts that are cut off", ["strategy", "stride"])])
    return Truncation(
      maximumLength: try reader.integer("max_length", in: 0...Self.maximumLength),
      side: try reader.choice("direction", ["Right": TextSide.right, "Left": .left], default: .right))
  }

  /// The filling up that the file asks for.
  func padding() throws(ApusError) -> Padding? {
    guard let reader = try root.optionalObject("padding") else { return nil }
    reader.passOver([KeysWithoutEffect("the text of the token of pad_id", ["pad_token"])])
    return Padding(
      length: try length(reader),
      id: Int32(truncatingIfNeeded: try reader.integer("pad_id", in: 0...Int(Int32.max))),
      tokenType: Int32(truncatingIfNeeded: try reader.integer("pad_type_id", in: 0...Int(Int32.max))),
      side: try reader.choice("direction", ["Right": TextSide.right, "Left": .left]),
      multiple: try reader.optionalInteger("pad_to_multiple_of", in: 0...Self.maximumLength) ?? 1)
  }

  /// The length that results are filled up to; nil for that of the longest of a batch.
  private func length(_ reader: ConfigurationReader) throws(ApusError) -> Int? {
    let strategy = reader.value("strategy")
    if strategy?.string == "BatchLongest" { return nil }
    guard case .object = strategy else {
      throw reader.unexpected(
        "strategy", strategy, "BatchLongest, or an object with Fixed", kind: .unsupportedModel)
    }
    return try reader.object("strategy").integer("Fixed", in: 0...Self.maximumLength)
  }
}
