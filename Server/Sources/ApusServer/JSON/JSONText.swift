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
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// A text, or null.
  static func optional(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: value.description.utf8)
    case .number(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    case .float(let value): Self.write(value, to: &bytes)
    case .string(let text): Self.quote(text, to: &bytes)
    case .array(let values): Self.list(values, "[", "]", to: &bytes) { $0.write(to: &$1) }
    case .object(let members):
      Self.list(members, "{", "}", to: &bytes) { member, bytes in
        Self.quote(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
    case .vector(let values):
      bytes.reserveCapacity(bytes.count + values.count * 13 + 2)
      Self.list(values, "[", "]", to: &bytes, Self.write)
    }
  }

  /// The fewest digits that bring the float back.
  private static func write(_ value: Float, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
  }

  private static func list<Element>(
    _ elements: [Element], _ start: Unicode.Scalar, _ end: Unicode.Scalar, to bytes: inout [UInt8],
    _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: start))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: end))
  }

  /// The text in quotes, with the escapes that RFC 8259 demands and no others.
  private static func quote(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
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
