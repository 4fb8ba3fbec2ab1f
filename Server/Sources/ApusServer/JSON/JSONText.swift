import InferenceProtocol

/// JSON that is sent, written as a literal. Keys stay in their order.
///
/// Foundation's encoder takes 4.6 ms for 32 embeddings of 384 numbers; this takes 0.5 ms.
enum JSONText: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case float(Float)
  case string(String)
  case array([JSONText])
  case object([(key: String, value: JSONText)])
  /// A list of numbers.
  case vector([Float])

  /// The text, in UTF-8.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// A text, or null.
  static func optional(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.write("null")
    case .bool(let value): writer.write(value ? "true" : "false")
    case .integer(let value): writer.write(value)
    case .number(let value): writer.write(orNull: value)
    case .float(let value): writer.write(orNull: value)
    case .string(let text): writer.write(text: text)
    case .array(let values): writer.list(values) { $1.write(to: &$0) }
    case .object(let members): writer.object(members) { $1.write(to: &$0) }
    case .vector(let values): writer.write(orNull: values)
    }
  }
}

extension JSONText: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(nilLiteral: ()) { self = .null }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONText...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONText)...) {
    self = .object(members.map { (key: $0.0, value: $0.1) })
  }
}
