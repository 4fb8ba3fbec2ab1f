/// Reads JSON (RFC 8259) value by value, so that a tensor's numbers become its bytes at once: UTF-8 only, no key twice in
/// an object that is read, and a limit on depth.
package struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  /// Where it stands: the index of the next byte.
  package private(set) var position: Int

  /// Lists and objects inside one another, at most, in a value that is passed over.
  package static let maximumDepth = 64

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Another reader of the same bytes, which stands where this one stood once.
  func at(_ position: Int) -> JSONReader {
    var reader = self
    reader.position = position
    return reader
  }

  /// How many bytes follow.
  var remaining: Int { bytes.endIndex - position }

  /// The first byte of the next value; nil at the end.
  package var next: UInt8? {
    mutating get {
      skipSpace()
      return peek
    }
  }

  /// - Throws: ``InferenceProtocolError`` unless only space follows.
  package mutating func end() throws(InferenceProtocolError) {
    if next != nil { throw unexpected("the end") }
  }

  /// Reads an object; `member` is given each key, and reads its value.
  package mutating func eachMember(
    _ member: (inout JSONReader, String) throws(InferenceProtocolError) -> Void
  ) throws(InferenceProtocolError) {
    guard next == UInt8(ascii: "{") else { throw unexpected("an object") }
    position += 1
    if take(UInt8(ascii: "}")) { return }
    // By their bytes: texts that Swift takes for equal are two keys.
    var keys: Set<[UInt8]> = []
    while true {
      let key = try string()
      guard keys.insert(Array(key.utf8)).inserted else {
        throw error("the key \"\(key.clipped)\" stands here twice")
      }
      guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
      try member(&self, key)
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
    }
  }

  /// Reads a list; `element` reads each of its values.
  package mutating func eachElement(
    _ element: (inout JSONReader) throws(InferenceProtocolError) -> Void
  ) throws(InferenceProtocolError) {
    guard next == UInt8(ascii: "[") else { throw unexpected("a list") }
    position += 1
    if take(UInt8(ascii: "]")) { return }
    while true {
      try element(&self)
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
    }
  }

  /// Reads `true` or `false`.
  package mutating func bool() throws(InferenceProtocolError) -> Bool {
    skipSpace()
    if take(word: "true") { return true }
    guard take(word: "false") else { throw unexpected("true or false") }
    return false
  }

  /// Whether `null` follows, which is read then: clients write it for what they leave out.
  mutating func null() -> Bool {
    skipSpace()
    return take(word: "null")
  }

  /// Reads a value and forgets it.
  package mutating func skipValue(depth: Int = 0) throws(InferenceProtocolError) {
    guard depth <= Self.maximumDepth else {
      throw error("lists and objects more than \(Self.maximumDepth) deep")
    }
    switch next {
    case UInt8(ascii: "{"):
      position += 1
      if take(UInt8(ascii: "}")) { return }
      repeat {
        _ = try string()
        guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
        try skipValue(depth: depth + 1)
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
    case UInt8(ascii: "["):
      try eachElement { (reader) throws(InferenceProtocolError) in try reader.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "n"): guard take(word: "null") else { throw unexpected("a value") }
    default: _ = try number()
    }
  }
}

extension JSONReader {
  var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func advance() { position += 1 }

  func bytes(from start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

  mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Takes a byte in, after any space.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    guard bytes[position...].starts(with: "\(word)".utf8) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  package func unexpected(_ expected: String) -> InferenceProtocolError {
    guard let byte = peek else { return error("the end", expected: expected) }
    let found = (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
    return error(found, expected: expected)
  }

  package func error(_ found: String, expected: String? = nil) -> InferenceProtocolError {
    let wish = expected.map { "; expected \($0)" } ?? ""
    return InferenceProtocolError("JSON, byte \(position - bytes.startIndex): \(found)\(wish)")
  }
}
