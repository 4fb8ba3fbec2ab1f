import ApusServing

/// The parameters behind a header's value, such as `form-data; name="image"` (RFC 9110, 5.6.6).
enum HeaderParameters {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// The value of the first parameter of a name, without its quotes; nil where there is none.
  /// - Parameter name: in lower case.
  static func value(_ name: String, of header: String) -> String? {
    for piece in pieces(of: header).dropFirst() {
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: Base64Text.trimmed(piece[..<equals]), as: UTF8.self)
      guard key.lowercased() == name else { continue }
      return String(decoding: unquoted(Base64Text.trimmed(piece[(equals + 1)...])), as: UTF8.self)
    }
    return nil
  }

  /// What stands between the semicolons that are in no quotes.
  private static func pieces(of header: String) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var isQuoted = false, isEscaped = false
    for byte in header.utf8 {
      if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append(piece)
        piece = []
        continue
      }
      // Quotes begin a value; within one they are letters.
      if byte == quote, isQuoted ? !isEscaped : piece.last == UInt8(ascii: "=") { isQuoted.toggle() }
      isEscaped = isQuoted && byte == backslash && !isEscaped
      piece.append(byte)
    }
    return pieces + [piece]
  }

  private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
    guard value.count >= 2, value.first == quote, value.last == quote else { return Array(value) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in value.dropFirst().dropLast() {
      isEscaped = byte == backslash && !isEscaped
      if !isEscaped { bytes.append(byte) }
    }
    return bytes
  }
}
