import ApusServing

/// Texts, or tokens in their place, as the routes for embeddings take them: one, or a list.
struct TextInputs: Equatable {
  let items: [TextInput]
  /// Whether it is one by itself rather than a list.
  let isSingle: Bool

  /// A text, a list of token ids, or a list of both.
  init(_ value: JSONValue, _ name: String) throws(RequestFault) {
    switch value {
    case .string(let text): (items, isSingle) = ([.text(text)], true)
    case .array(let values):
      if case .number? = values.first {
        (items, isSingle) = ([.tokens(try TokenIDs.list(value, name))], true)
      } else {
        var items: [TextInput] = []
        for (index, value) in values.enumerated() {
          items.append(try Self.item(value, "\(name)[\(index)]"))
        }
        (self.items, isSingle) = (items, false)
      }
    default: throw .unexpected(value, name, expected: "a text, token ids, or a list of them")
    }
  }

  private static func item(_ value: JSONValue, _ name: String) throws(RequestFault) -> TextInput {
    switch value {
    case .string(let text): .text(text)
    case .array: .tokens(try TokenIDs.list(value, name))
    default: throw .unexpected(value, name, expected: "a text or a list of token ids")
    }
  }
}
