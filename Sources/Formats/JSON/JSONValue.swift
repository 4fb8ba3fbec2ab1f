import TensorCore

/// A JSON value as it stands in a file: object keys in order, numbers as written.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The digits of the file, so that integers of 64 bits lose nothing.
  case number(String)
  case string(ExactText)
  case array([JSONValue])
  /// Keys in the order of the file; none twice.
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let key: ExactText
    package let value: JSONValue

    package init(key: ExactText, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// What kind of value it is, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): "the number \(text.clipped)"
    case .string(let text): "the text \"\(text.clipped)\""
    case .array(let values): "a list of \(values.count)"
    case .object: "an object"
    }
  }

  /// The value of a key; nil when there is none, or this is no object.
  package subscript(key: ExactText) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? {
    if case .string(let text) = self { text.text } else { nil }
  }

  /// The number if it is a whole one of 64 bits, written without fraction or exponent.
  package var int: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// The number, or nil when this is none, or it is over the range of a double.
  package var double: Double? {
    guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
