/// Escapes in addresses.
enum PercentEncoding {
  /// The text that an escaped one stands for; nil where an escape is cut off, or what comes out is not UTF-8.
  static func removed(from text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2, let high = digits[0], let low = digits[1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
