import TensorCore

/// Rows of values divided by commas or semicolons, some of them in quotes (RFC 4180).
enum QuotedValues {
  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")

  /// - Throws: ``ApusError`` of kind `configuration` for a quote without end, or bytes that are not UTF-8.
  static func rows(
    _ bytes: ArraySlice<UInt8>, dividedBy separator: UInt8, _ decoding: SeparatedValues.Decoding
  ) throws(ApusError) -> [SeparatedValues.Row] {
    var rows: [SeparatedValues.Row] = []
    var rest = bytes
    var line = 1
    while !rest.isEmpty {
      let start = line
      var values: [String] = []
      var isRowOver = false
      while !isRowOver {
        let (value, end) = try field(&rest, line: &line, dividedBy: separator, decoding)
        values.append(value)
        isRowOver = end != separator
      }
      if !values.allSatisfy(\.isEmpty) { rows.append(SeparatedValues.Row(line: start, values: values)) }
    }
    return rows
  }

  /// Takes one value and what ends it.
  /// - Returns: the value, and the separator or line break behind it; nil at the end of the file.
  private static func field(
    _ rest: inout ArraySlice<UInt8>, line: inout Int, dividedBy separator: UInt8,
    _ decoding: SeparatedValues.Decoding
  ) throws(ApusError) -> (value: String, end: UInt8?) {
    let start = line
    let blanks = rest.prefix { $0 == UInt8(ascii: " ") }.count
    guard rest.dropFirst(blanks).first == quote else {
      let plain = rest.prefix { $0 != separator && $0 != newline }
      rest = rest.dropFirst(plain.count)
      return (try SeparatedValues.text(plain, line: start, decoding), takeEnd(&rest, &line))
    }
    rest = rest.dropFirst(blanks + 1)
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == newline { line += 1 }
      if byte != quote {
        value.append(byte)
      } else if rest.first == quote {
        value.append(quote)
        rest = rest.dropFirst()
      } else {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
        guard rest.isEmpty || rest.first == separator || rest.first == newline else {
          let name = separator == UInt8(ascii: ",") ? "a comma" : "a semicolon"
          throw ApusError(
            .configuration, "something behind a closing quote", expected: "\(name) or the end of the line",
            at: "line \(line)")
        }
        return (try SeparatedValues.text(value[...], line: start, decoding), takeEnd(&rest, &line))
      }
    }
    throw ApusError(.configuration, "a quote without end", at: "line \(start)")
  }

  private static func takeEnd(_ rest: inout ArraySlice<UInt8>, _ line: inout Int) -> UInt8? {
    guard let end = rest.popFirst() else { return nil }
    if end == newline { line += 1 }
    return end
  }
}
