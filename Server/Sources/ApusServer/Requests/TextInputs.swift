import ApusServing

/// Texts, or tokens in their place, as the routes for embeddings take them.
enum TextInputs {
  /// A text, a list of token ids, or a list of both.
  static func list(_ value: JSONValue, _ name: String) throws(RequestFault) -> [TextInput] {
    switch value {
    case .string(let text): return [.text(text.text)]
    case .array(let values):
      if case .number? = values.first { return [.tokens(try TokenIDs.list(value, name))] }
      var items: [TextInput] = []
      for (index, value) in values.enumerated() { items.append(try item(value, "\(name)[\(index)]")) }
      return items
    default: throw .unexpected(value, name, expected: "a text, token ids, or a list of them")
    }
  }

  private static func item(_ value: JSONValue, _ name: String) throws(RequestFault) -> TextInput {
    switch value {
    case .string(let text): .text(text.text)
    case .array: .tokens(try TokenIDs.list(value, name))
    default: throw .unexpected(value, name, expected: "a text or a list of token ids")
    }
  }

  static let schema = Schema.either(
    Schema.text, Schema.list(Schema.tokenID, minimum: 1),
    Schema.list(Schema.either(Schema.text, Schema.list(Schema.tokenID, minimum: 1)), minimum: 1))
}
