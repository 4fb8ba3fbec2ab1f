/// Writing JSON.
package enum JSONText {
  /// A value on one line, numbers with the digits that they have.
  package static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): quoted(text)
    case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.key) + ": " + text(of: $0.value) }.joined(separator: ", ") + "}"
    }
  }

  /// The text in quotes, with the escapes that RFC 8259 demands and no others.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{C}": quoted += "\\f"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
