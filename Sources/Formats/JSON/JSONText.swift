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
    var text = ""
    write(list: integers) { text += $0 }
    return text
  }

  /// Hands out the text of a list of integers in parts of some 64 KiB.
  package static func write(list integers: [Int32], to output: (String) -> Void) {
    var bytes = [UInt8(ascii: "[")]
    bytes.reserveCapacity(min(8 * integers.count, partLength) + 16)
    for (position, integer) in integers.enumerated() {
      if position > 0 {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: " "))
      }
      appendDigits(of: integer, to: &bytes)
      guard bytes.count >= partLength else { continue }
      output(String(decoding: bytes, as: UTF8.self))
      bytes.removeAll(keepingCapacity: true)
    }
    bytes.append(UInt8(ascii: "]"))
    output(String(decoding: bytes, as: UTF8.self))
  }

  private static let partLength = 1 << 16

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
    var quoted = ""
    write(quoted: text) { quoted += $0 }
    return quoted
  }

  /// Hands out ``quoted(_:)`` in parts of some 64 KiB.
  package static func write(quoted text: String, to output: (String) -> Void) {
    output("\"")
    for part in text.parts(ofLength: partLength) { output(escaped(part)) }
    output("\"")
  }

  private static func escaped(_ text: Substring) -> String {
    let needsEscapes = text.utf8.contains {
      $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    guard needsEscapes else { return String(text) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case "\u{8}": escaped += "\\b"
      case "\u{C}": escaped += "\\f"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
