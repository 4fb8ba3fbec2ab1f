extension String {
  /// Whether there is nothing to read in it.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// On one line, and cut with an ellipsis when it has more characters than `limit`.
  func shortened(to limit: Int) -> String {
    let line = String(map { $0.isNewline ? " " : $0 })
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
