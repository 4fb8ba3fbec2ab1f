/// Writing JSON.
package enum JSONText {
  /// A value on one line, numbers with the digits that they have.
  package static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): quoted(text.text)
    case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.key.text) + ": " + text(of: $0.value) }.joined(separator: ", ") + "}"
    }
  }

  /// A list of integers on one line.
  package static func list(_ integers: [Int32]) -> String {
    var bytes = [UInt8(ascii: "[")]
    bytes.reserveCapacity(8 * integers.count + 2)
    for integer in integers {
      if bytes.count > 1 {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: " "))
      }
      appendDigits(of: integer, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appending what `String` makes of each took a third of `tokenize`'s time.
  private static func appendDigits(of integer: Int32, to bytes: inout [UInt8]) {
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    var power: UInt32 = 1
    while integer.magnitude / power > 9 { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(integer.magnitude / power % 10))
      power /= 10
    }
  }

  /// The text in quotes, with the escapes that RFC 8259 demands and no others.
  package static func quoted(_ text: String) -> String {
    let needsEscapes = text.utf8.contains {
      $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    guard needsEscapes else { return "\"" + text + "\"" }
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
