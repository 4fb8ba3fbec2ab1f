import Apus
import ApusServing

/// A JSON value that a client sent, or that stands in a file.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([ExactText: JSONValue])

  /// What it is, for errors.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "the number \(whole.map(String.init) ?? String(value))"
    case .string(let text): "the text \"\(text.clipped)\""
    case .array(let values): "a list of \(values.count)"
    case .object: "an object"
    }
  }

  /// The number, if it is a whole one.
  var whole: Int? {
    if case .number(let value) = self { Int(exactly: value) } else { nil }
  }
}
