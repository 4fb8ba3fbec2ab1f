/// Writes JSON into bytes, with the escapes that RFC 8259 demands and no others. Whoever uses it writes values where the
/// grammar wants them.
package struct JSONWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends text as it is.
  package mutating func write(_ text: StaticString) { bytes += "\(text)".utf8 }

  /// Appends a whole number.
  package mutating func write(_ number: some FixedWidthInteger) { bytes += String(number).utf8 }

  /// Appends a number in the fewest digits that mean it; null for NaN and infinity, which JSON has not.
  package mutating func write(orNull number: some BinaryFloatingPoint & CustomStringConvertible) {
    if number.isFinite { bytes += number.description.utf8 } else { write("null") }
  }

  /// Appends a number in the fewest digits that mean it.
  /// - Throws: ``InferenceProtocolError`` for NaN and infinity, which JSON has not.
  mutating func write(
    _ number: some BinaryFloatingPoint & CustomStringConvertible
  ) throws(InferenceProtocolError) {
    guard number.isFinite else {
      throw InferenceProtocolError("\(number) has no form in JSON; ask for the output as binary data")
    }
    write(orNull: number)
  }

  /// Appends a list of numbers; null for each that JSON has not.
  package mutating func write(orNull numbers: [Float]) {
    bytes.reserveCapacity(bytes.count + numbers.count * 13 + 2)
    list(numbers) { $0.write(orNull: $1) }
  }

  /// Appends a text in quotes.
  package mutating func write(text: String) { write(quoted: text.utf8) }

  /// Appends a text in quotes.
  /// - Throws: ``InferenceProtocolError`` for bytes that are not UTF-8.
  mutating func write(text: ArraySlice<UInt8>) throws(InferenceProtocolError) {
    guard String(validating: text, as: UTF8.self) != nil else {
      throw InferenceProtocolError(
        "bytes that are not UTF-8 have no form in JSON; ask for the output as binary data")
    }
    write(quoted: text)
  }

  private mutating func write(quoted text: some Sequence<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  /// Appends a list.
  /// - Parameter value: appends an element.
  package mutating func list<Element, Failure: Error>(
    _ elements: some Sequence<Element>, _ value: (inout JSONWriter, Element) throws(Failure) -> Void
  ) throws(Failure) {
    var separator = UInt8(ascii: "[")
    for element in elements {
      bytes.append(separator)
      try value(&self, element)
      separator = UInt8(ascii: ",")
    }
    if separator == UInt8(ascii: "[") { bytes.append(separator) }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends an object, whose members stay in their order.
  /// - Parameter value: appends a member's value.
  package mutating func object<Value, Failure: Error>(
    _ members: some Sequence<(key: String, value: Value)>,
    _ value: (inout JSONWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    var separator = UInt8(ascii: "{")
    for member in members {
      bytes.append(separator)
      write(text: member.key)
      bytes.append(UInt8(ascii: ":"))
      try value(&self, member.value)
      separator = UInt8(ascii: ",")
    }
    if separator == UInt8(ascii: "{") { bytes.append(separator) }
    bytes.append(UInt8(ascii: "}"))
  }
}
