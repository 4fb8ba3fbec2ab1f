/// Writes JSON into bytes, value by value, where the grammar wants them.
public struct JSONWriter {
  /// How it looks.
  public enum Style: Sendable {
    /// For programs: no space, and every control character as `\u000a`.
    case compact
    /// For people, on one line: a space behind commas and colons, and the short escapes of RFC 8259.
    case spaced
  }

  /// The written bytes.
  public private(set) var bytes: [UInt8] = []
  private let style: Style

  /// A writer that has written nothing.
  public init(_ style: Style = .compact) { self.style = style }

  /// Appends text as it is.
  public mutating func write(_ text: StaticString) { bytes += "\(text)".utf8 }

  /// Appends a number as it is written.
  mutating func write(number: String) { bytes += number.utf8 }

  /// Appends a whole number.
  @inlinable public mutating func write(_ number: some FixedWidthInteger) {
    write(UInt64(number.magnitude), isNegative: number < 0)
  }

  /// Appending what `String` makes of each took a third of `tokenize`'s time.
  @usableFromInline mutating func write(_ magnitude: UInt64, isNegative: Bool) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var (rest, start) = (magnitude, digits.count)
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    for index in start..<digits.count { bytes.append(digits[index]) }
  }

  /// Appends a number in the fewest digits that mean it; null for NaN and infinity, which JSON has not.
  public mutating func write(orNull number: Float) {
    if number.isFinite { bytes += number.description.utf8 } else { write("null") }
  }

  /// Appends a number in the fewest digits that mean it; null for NaN and infinity, which JSON has not.
  public mutating func write(orNull number: Double) {
    if number.isFinite { bytes += number.description.utf8 } else { write("null") }
  }

  /// Appends a list of numbers; null for each that JSON has not.
  public mutating func write(orNull numbers: [Float]) {
    bytes.reserveCapacity(bytes.count + numbers.count * 13 + 2)
    list(numbers) { $0.write(orNull: $1) }
  }

  /// Appends a text in quotes, with the escapes that RFC 8259 demands and no others.
  public mutating func write(text: String) { write(text: text) { _ in } }

  /// Bytes of what is handed out together.
  static let partLength = 1 << 16

  /// Takes out what was written.
  mutating func takeText() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter flush: called behind each part of a long text.
  mutating func write(text: String, flush: (inout JSONWriter) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.count <= Self.partLength {
      write(inside: text)
    } else {
      for part in text.parts(ofLength: Self.partLength) {
        write(inside: part)
        flush(&self)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(inside text: some StringProtocol) {
    if text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: bytes += escape(byte).utf8
        default: bytes.append(byte)
        }
      }
    } else {
      bytes += text.utf8
    }
  }

  private func escape(_ control: UInt8) -> String {
    switch (control, style) {
    case (0x0A, .spaced): "\\n"
    case (0x0D, .spaced): "\\r"
    case (0x09, .spaced): "\\t"
    case (0x08, .spaced): "\\b"
    case (0x0C, .spaced): "\\f"
    default: (control < 0x10 ? "\\u000" : "\\u00") + String(control, radix: 16)
    }
  }
}

extension JSONWriter {
  /// Appends a list.
  /// - Parameter value: appends an element.
  @inlinable public mutating func list<Element, Failure: Error>(
    _ elements: some Sequence<Element>, _ value: (inout JSONWriter, Element) throws(Failure) -> Void
  ) throws(Failure) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { separate(UInt8(ascii: ",")) }
      isFirst = false
      try value(&self, element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends an object, whose members stay in their order.
  /// - Parameter value: appends a member's value.
  @inlinable public mutating func object<Value, Failure: Error>(
    _ members: some Sequence<(key: String, value: Value)>,
    _ value: (inout JSONWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members {
      if !isFirst { separate(UInt8(ascii: ",")) }
      isFirst = false
      write(text: member.key)
      separate(UInt8(ascii: ":"))
      try value(&self, member.value)
    }
    append(UInt8(ascii: "}"))
  }

  @usableFromInline mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a comma or a colon.
  @usableFromInline mutating func separate(_ mark: UInt8) {
    bytes.append(mark)
    if style == .spaced { bytes.append(UInt8(ascii: " ")) }
  }
}
