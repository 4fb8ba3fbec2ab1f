/// Writes JSON into bytes. Whoever uses it opens, closes and separates as the grammar wants.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends text as it is.
  mutating func write(_ text: StaticString) { bytes += "\(text)".utf8 }

  /// Appends a number.
  mutating func write(_ number: some FixedWidthInteger) { bytes += String(number).utf8 }

  /// Appends a number in the fewest digits that mean it.
  /// - Throws: ``InferenceProtocolError`` for NaN and infinity, which JSON has not.
  mutating func write(
    _ number: some BinaryFloatingPoint & CustomStringConvertible
  ) throws(InferenceProtocolError) {
    guard number.isFinite else {
      throw InferenceProtocolError("\(number) has no form in JSON; ask for the output as binary data")
    }
    bytes += number.description.utf8
  }

  /// Appends a text in quotes.
  /// - Throws: ``InferenceProtocolError`` for bytes that are not UTF-8.
  mutating func write(text: ArraySlice<UInt8>) throws(InferenceProtocolError) {
    guard String(validating: text, as: UTF8.self) != nil else {
      throw InferenceProtocolError(
        "bytes that are not UTF-8 have no form in JSON; ask for the output as binary data")
    }
    write(quoted: text)
  }

  /// Appends a text in quotes.
  mutating func write(text: String) { write(quoted: text.utf8) }

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
