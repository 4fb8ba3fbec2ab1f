extension String {
  /// Whether there is nothing to read in it.
  package var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// As a terminal may be given it: what would move its cursor, colour it or turn the direction of writing is written
  /// out as `\u{1B}`.
  package var printable: String { writtenOut(where: Self.isControl) }

  /// The printable text, with line breaks and tabs kept.
  package var printableLines: String {
    writtenOut { Self.isControl($0) && $0 != "\n" && $0 != "\t" }
  }

  private func writtenOut(where isMeant: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isMeant) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if isMeant(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// On one line, printable, and cut with an ellipsis when it has more characters than `limit`. Of a long text no more is
  /// looked at than is printed.
  package func shortened(to limit: Int) -> String {
    var (line, rest) = ("", self[...])
    // What is written out may join a character before it: then fewer came of these.
    while line.count <= limit, !rest.isEmpty {
      let part = rest.prefix(limit + 1)
      line += String(part.map { $0.isNewline || $0 == "\t" ? " " : $0 }).printable
      rest = rest[part.endIndex...]
    }
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }

  /// Columns that it takes on a terminal: two for each character of East Asian scripts and for pictographs.
  package var columns: Int {
    reduce(0) { columns, character in
      let first = character.unicodeScalars.first?.value ?? 0
      let isWide = [0x1100..<0x1160, 0x2E80..<0xA4D0, 0xAC00..<0xD7A4, 0xF900..<0xFB00, 0xFE30..<0xFE70]
        .contains { $0.contains(first) }
      return columns
        + (isWide || 0xFF00..<0xFF61 ~= first || 0x1F300..<0x20000 ~= first || first >= 0x20000 ? 2 : 1)
    }
  }
}
