import TensorCore

/// A strict reader of JSON (RFC 8259), value by value, so that numbers of a table or a tensor become its elements at once:
/// UTF-8 only, no key twice in an object that is read, and limits on depth and on the values that are made.
///
/// Errors are ``ApusError``: the place as ``ApusError/location``, what stands there, and what was expected.
public struct JSONReader {
  @usableFromInline package let bytes: ArraySlice<UInt8>
  /// The index of the next byte: what it was can be set again.
  public var position: Int
  /// How many values ``value(depth:)`` may still make; negative once they were too many.
  public private(set) var room: Int
  private let origin: JSONOrigin

  /// Lists and objects inside one another, at most, in a value.
  public static let maximumDepth = 64

  /// A reader that stands before the first byte.
  /// - Parameters:
  ///   - origin: what is read, for errors.
  ///   - maximumValues: values that ``value(depth:)`` makes, at most; each takes many times the memory of its two bytes.
  public init(_ bytes: ArraySlice<UInt8>, from origin: JSONOrigin = .file, maximumValues: Int = .max) {
    (self.bytes, self.origin, room) = (bytes, origin, maximumValues)
    position = bytes.startIndex
  }

  /// How many bytes follow.
  public var remaining: Int { bytes.endIndex - position }

  /// - Throws: ``ApusError`` unless only space follows.
  public mutating func end() throws(ApusError) {
    guard next == nil else { throw unexpected(origin == .file ? "the end of the file" : "the end") }
  }

  /// Reads the next value, `depth` lists and objects deep.
  public mutating func value(depth: Int = 0) throws(ApusError) -> JSONValue {
    try requireDepth(depth)
    room -= 1
    guard room >= 0 else { throw error("too many values") }
    switch next {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try eachMember { (reader, key) throws(ApusError) in
        members.append(JSONValue.Member(key: key, value: try reader.value(depth: depth + 1)))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try eachElement { (reader) throws(ApusError) in values.append(try reader.value(depth: depth + 1)) }
      return .array(values)
    case UInt8(ascii: "\""): return .string(ExactText(try string()))
    case let byte? where Self.isOfNumber(byte): return .number(try finiteNumber())
    default:
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      if take("null") { return .null }
      throw unexpected("a value")
    }
  }

  /// Files keep their numbers as they are written.
  private mutating func finiteNumber() throws(ApusError) -> String {
    guard origin != .file else { return try digits() }
    let start = position
    guard try double().isFinite else { throw error("a number over the range of doubles") }
    return text(from: start)
  }

  /// Reads a value and forgets it.
  public mutating func skipValue(depth: Int = 0) throws(ApusError) {
    try requireDepth(depth)
    switch next {
    case UInt8(ascii: "{"):
      try eachPair { (reader) throws(ApusError) in
        _ = try reader.string()
      } value: {
        (reader) throws(ApusError) in
        try reader.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try eachElement { (reader) throws(ApusError) in try reader.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try string()
    case let byte? where Self.isOfNumber(byte): _ = try digits()
    default: guard take("true") || take("false") || take("null") else { throw unexpected("a value") }
    }
  }

  private func requireDepth(_ depth: Int) throws(ApusError) {
    guard depth <= Self.maximumDepth else {
      throw error("lists and objects more than \(Self.maximumDepth) deep")
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Reads a list; `element` reads each of its values.
  @inlinable public mutating func eachElement(
    _ element: (inout JSONReader) throws(ApusError) -> Void
  ) throws(ApusError) {
    guard takeNext(UInt8(ascii: "[")) else { throw unexpected("a list") }
    if takeNext(UInt8(ascii: "]")) { return }
    while true {
      try element(&self)
      if takeNext(UInt8(ascii: ",")) { continue }
      guard takeNext(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
      return
    }
  }

  /// Reads an object; `member` is given each key, and reads its value. Keys are told apart by their bytes.
  public mutating func eachMember(
    _ member: (inout JSONReader, ExactText) throws(ApusError) -> Void
  ) throws(ApusError) {
    var keys: Set<ExactText> = []
    var key: ExactText = ""
    try eachPair { (reader) throws(ApusError) in
      key = ExactText(try reader.string())
      guard keys.insert(key).inserted else {
        throw reader.error("the key \"\(key.clipped)\" stands here twice")
      }
    } value: { (reader) throws(ApusError) in
      try member(&reader, key)
    }
  }

  /// Reads an object; `key` reads each key, and `value` its value.
  mutating func eachPair(
    key: (inout JSONReader) throws(ApusError) -> Void, value: (inout JSONReader) throws(ApusError) -> Void
  ) throws(ApusError) {
    guard takeNext(UInt8(ascii: "{")) else { throw unexpected("an object") }
    if takeNext(UInt8(ascii: "}")) { return }
    while true {
      guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      try key(&self)
      guard takeNext(UInt8(ascii: ":")) else { throw unexpected("':'") }
      try value(&self)
      if takeNext(UInt8(ascii: ",")) { continue }
      guard takeNext(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
      return
    }
  }

  /// Reads `true` or `false`.
  public mutating func bool() throws(ApusError) -> Bool {
    skipSpace()
    if take("true") { return true }
    guard take("false") else { throw unexpected("true or false") }
    return false
  }

  /// Whether `null` follows, which is read then: clients write it for what they leave out.
  public mutating func null() -> Bool {
    skipSpace()
    return take("null")
  }
}

extension JSONReader {
  /// The next byte; nil at the end.
  @inlinable package var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  /// The first byte of the next value; nil at the end.
  @inlinable public var next: UInt8? {
    mutating get {
      skipSpace()
      return peek
    }
  }

  @inlinable package mutating func skipSpace() {
    if let byte = peek, byte <= 0x20 { skipSpaces() }
  }

  @usableFromInline mutating func skipSpaces() {
    position += ByteScan.spaceCount(bytes.span, from: position - bytes.startIndex)
  }

  /// Takes the byte if it is the next after any space.
  @inlinable mutating func takeNext(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Takes the text if it is the next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// The refusal of what stands here.
  public func unexpected(_ expected: String) -> ApusError {
    guard let byte = peek else {
      return error(origin == .file ? "the file ends" : "the end", expected: expected)
    }
    let shown = 0x21..<0x7F ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
    return error(origin == .file ? "unexpected \(shown)" : shown, expected: expected)
  }

  /// An error with this place.
  public func error(_ problem: String, expected: String? = nil) -> ApusError {
    let kind = origin == .file ? ApusError.Kind.configuration : .argument
    return ApusError(kind, problem, expected: expected, at: place)
  }

  /// The error with this place before its own.
  package func placed(_ cause: ApusError) -> ApusError { cause.at(place) }

  /// Bytes are counted from 0; lines, and columns in characters, from 1.
  private var place: String {
    guard origin != .message else { return "JSON, byte \(position - bytes.startIndex)" }
    let before = bytes[..<min(position, bytes.endIndex)]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
    return "JSON, line \(line), column \(String(decoding: before[start...], as: UTF8.self).count + 1)"
  }
}
