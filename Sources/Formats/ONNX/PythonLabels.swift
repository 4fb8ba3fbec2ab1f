import TensorCore

/// Labels as Python prints them: `{0: 'cat', 1: "it's"}` or `['cat', 'dog']`.
struct PythonLabels {
  private(set) var labels: [String] = []
  private var rest: ArraySlice<UInt8>

  /// Nil where the text is no dictionary from 0 on, and no list, of texts.
  init?(_ text: String) {
    rest = Array(text.utf8)[...]
    skipSpace()
    let isDictionary = rest.first == UInt8(ascii: "{")
    guard isDictionary || rest.first == UInt8(ascii: "[") else { return nil }
    rest.removeFirst()
    let end = UInt8(ascii: isDictionary ? "}" : "]")
    skipSpace()
    while rest.first != end {
      if isDictionary {
        guard number() == labels.count, take(UInt8(ascii: ":")) else { return nil }
      }
      guard let label = quoted() else { return nil }
      labels.append(label)
      skipSpace()
      guard rest.first == end || take(UInt8(ascii: ",")) else { return nil }
      skipSpace()
    }
    rest.removeFirst()
    skipSpace()
    guard rest.isEmpty, !labels.isEmpty else { return nil }
  }

  private mutating func skipSpace() { rest = rest.drop { LabelFile.isSpace($0) } }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number() -> Int? {
    skipSpace()
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// A text between single or double quotes, with what Python writes behind a backslash in printed ones.
  private mutating func quoted() -> String? {
    skipSpace()
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return nil
    }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(validating: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = rest.popFirst(), let meant = Self.escapes[escaped] else { return nil }
      bytes.append(meant)
    }
    return nil
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "'"): UInt8(ascii: "'"),
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
  ]
}
