extension String {
  /// Whether there is nothing to read in it.
  package var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// On one line, and cut with an ellipsis when it has more characters than `limit`.
  package func shortened(to limit: Int) -> String {
    let line = String(map { $0.isNewline ? " " : $0 })
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
