import Formats
import TensorCore

extension TokenizerFile {
  /// Which special tokens the file puts around texts.
  func specialTokenTemplate() throws(ApusError) -> SpecialTokenTemplate {
    guard let reader = try root.optionalObject("post_processor") else { return SpecialTokenTemplate() }
    return try Self.template(reader) ?? SpecialTokenTemplate()
  }

  /// The template of a post-processor; nil for one that adds no tokens.
  private static func template(_ reader: ConfigurationReader) throws(ApusError) -> SpecialTokenTemplate? {
    // Where tokens are, which ``offsetTrimming()`` reads, changes no id.
    reader.passOver([placesOfTokens, byteLevelSettings])
    switch try reader.string("type") {
    case "ByteLevel": return nil
    case "BertProcessing": return .bert(start: try token(reader, "cls"), end: try token(reader, "sep"))
    case "RobertaProcessing": return .roberta(start: try token(reader, "cls"), end: try token(reader, "sep"))
    case "TemplateProcessing": return try templateProcessing(reader)
    case "Sequence":
      let templates = try reader.components("processors", Self.template).compactMap(\.self)
      guard templates.count < 2 else {
        throw ApusError(
          .unsupportedModel, "two post-processors that add tokens", expected: "one at most",
          at: reader.place("processors"), file: reader.file)
      }
      return templates.first
    default: throw reader.unknownComponent("post-processor")
    }
  }

  /// The id of a token written as a list of its text and its id.
  private static func token(_ reader: ConfigurationReader, _ key: String) throws(ApusError) -> Int32 {
    let value = reader.value(key)
    guard case .array(let pair) = value, pair.count == 2, pair[0].string != nil, let id = pair[1].int,
      let id = Int32(exactly: id), id >= 0
    else { throw reader.unexpected(key, value, "a list of a token and its id") }
    return id
  }

  private static func templateProcessing(_ reader: ConfigurationReader) throws(ApusError)
    -> SpecialTokenTemplate
  {
    var special: [ExactText: [Int32]] = [:]
    let tokens = try reader.object("special_tokens")
    for name in tokens.keys {
      let token = try tokens.object(name)
      let ids = try token.optionalList("ids", of: "ids") { value -> Int32? in
        value.int.flatMap { Int32(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
      }
      guard let ids, ids.count <= 1024 else { throw token.unexpected("ids", nil, "a list of ids") }
      token.passOver([KeysWithoutEffect("the texts of the ids", ["id", "tokens"])])
      special[ExactText(name)] = ids
    }
    let single = try parts(reader, "single", special)
    let pair = try parts(reader, "pair", special)
    return SpecialTokenTemplate(single: single, pair: pair)
  }

  private static func parts(
    _ reader: ConfigurationReader, _ key: String, _ special: [ExactText: [Int32]]
  ) throws(ApusError) -> [SpecialTokenTemplate.Part] {
    try reader.components(key) { (piece) throws(ApusError) in
      if let token = try piece.optionalObject("SpecialToken") {
        let name = ExactText(try token.string("id"))
        guard let ids = special[name] else {
          throw token.unexpected("id", .string(name), "one of special_tokens")
        }
        return .special(ids, tokenType: try tokenType(token))
      }
      let sequence = try piece.object("Sequence")
      let number = try sequence.choice("id", key == "pair" ? ["A": 0, "B": 1] : ["A": 0])
      return .text(number, tokenType: try tokenType(sequence))
    }
  }

  private static func tokenType(_ reader: ConfigurationReader) throws(ApusError) -> Int32 {
    Int32(truncatingIfNeeded: try reader.integer("type_id", in: 0...Int(Int32.max)))
  }
}
