extension StringProtocol {
  /// Without white space at its ends, by code points: to Swift a space and an accent behind it are one character.
  package var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first..<unicodeScalars.index(after: last)])
  }
}
