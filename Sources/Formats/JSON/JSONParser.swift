import TensorCore

/// A strict parser of JSON (RFC 8259): UTF-8 only, no key twice, nothing after the value, and a limit on depth.
package struct JSONParser {
  package let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  /// Lists and objects inside one another, at most.
  package static let maximumDepth = 64

  /// The value that the bytes hold.
  /// - Throws: ``ApusError`` of kind `configuration` that names the line and column.
  package static func parse(_ bytes: ArraySlice<UInt8>) throws(ApusError) -> JSONValue {
    var parser = JSONParser(bytes)
    let value = try parser.value(depth: 0)
    try parser.end()
    return value
  }

  /// A parser that stands before the first byte, for files whose values are read one by one.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// - Throws: ``ApusError`` unless only space follows.
  package mutating func end() throws(ApusError) {
    skipSpace()
    guard position == bytes.endIndex else { throw unexpected("the end of the file") }
  }

  /// The next value, `depth` lists and objects deep.
  package mutating func value(depth: Int) throws(ApusError) -> JSONValue {
    guard depth <= Self.maximumDepth else {
      throw error("lists and objects more than \(Self.maximumDepth) deep")
    }
    skipSpace()
    guard let first = peek else { throw unexpected("a value") }
    switch first {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(ExactText(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default:
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      if take("null") { return .null }
      throw unexpected("a value")
    }
  }

  private mutating func elements(depth: Int) throws(ApusError) -> [JSONValue] {
    var values: [JSONValue] = []
    try eachElement { (parser) throws(ApusError) in values.append(try parser.value(depth: depth + 1)) }
    return values
  }

  private mutating func members(depth: Int) throws(ApusError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    try eachMember { (parser, key) throws(ApusError) in
      members.append(JSONValue.Member(key: key, value: try parser.value(depth: depth + 1)))
    }
    return members
  }

  /// Reads a list; `element` reads each of its values.
  package mutating func eachElement(_ element: (inout JSONParser) throws(ApusError) -> Void) throws(ApusError)
  {
    skipSpace()
    guard take(UInt8(ascii: "[")) else { throw unexpected("a list") }
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try element(&self)
      skipSpace()
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
    }
  }

  /// Reads an object; `member` is given each key, and reads its value.
  package mutating func eachMember(
    _ member: (inout JSONParser, ExactText) throws(ApusError) -> Void
  ) throws(ApusError) {
    skipSpace()
    guard take("{") else { throw unexpected("an object") }
    skipSpace()
    if take("}") { return }
    var keys: Set<ExactText> = []
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let key = ExactText(try string())
      guard keys.insert(key).inserted else { throw error("the key \"\(key.clipped)\" stands here twice") }
      skipSpace()
      guard take(":") else { throw unexpected("':'") }
      try member(&self, key)
      skipSpace()
      if take("}") { return }
      guard take(",") else { throw unexpected("',' or '}'") }
    }
  }

  mutating func number() throws(ApusError) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(ApusError) {
    let start = position
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > start else { throw unexpected("a digit") }
  }
}

extension JSONParser {
  package mutating func string() throws(ApusError) -> String {
    var text: [UInt8] = []
    let start = position + 1
    try string(into: &text)
    guard let text = String(validating: text, as: UTF8.self) else {
      position = start
      throw error("text that is not UTF-8")
    }
    return text
  }

  /// Reads a text in quotes and appends its bytes, which may break the rules of UTF-8.
  package mutating func string(into text: inout [UInt8]) throws(ApusError) {
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a text in quotes") }
    position += 1
    while true {
      appendPlainText(to: &text)
      guard let byte = peek else { break }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      default: throw error("the control character \(byte) inside text")
      }
    }
    throw error("text without an end", expected: "a closing quote")
  }

  /// Takes in what stands for itself.
  private mutating func appendPlainText(to text: inout [UInt8]) {
    let count = Self.plainCount(bytes.span, from: position - bytes.startIndex)
    text += bytes[position..<(position + count)]
    position += count
  }

  private static func plainCount(_ text: Span<UInt8>, from start: Int) -> Int {
    for index in start..<text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index - start }
    }
    return text.count - start
  }

  private mutating func escape() throws(ApusError) -> Character {
    guard let byte = peek else { throw unexpected("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return Character(try escapedScalar())
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    default: throw error("an unknown escape")
    }
  }

  /// The scalar of `\uXXXX`, or of two such that make a surrogate pair.
  private mutating func escapedScalar() throws(ApusError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw error("half of a surrogate pair") }
    let second = try hexadecimal()
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(ApusError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  package var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  package mutating func skipSpace() {
    position += Self.spaceCount(bytes.span, from: position - bytes.startIndex)
  }

  private static func spaceCount(_ text: Span<UInt8>, from start: Int) -> Int {
    for index in start..<text.count {
      let byte = text[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return index - start }
    }
    return text.count - start
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Takes the byte if it is the next.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  package func unexpected(_ expected: String) -> ApusError {
    guard let byte = peek else { return error("the file ends", expected: expected) }
    let shown = 0x21..<0x7F ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
    return error("unexpected \(shown)", expected: expected)
  }

  package func error(_ problem: String, expected: String? = nil) -> ApusError {
    let before = bytes[..<min(position, bytes.endIndex)]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 - before.startIndex } ?? 0) + 1
    return ApusError(.configuration, problem, expected: expected, at: "JSON, line \(line), column \(column)")
  }
}
