import Apus

/// A file with a label or a key in each line.
enum LabelLines {
  /// The lines without white space around them; empty ones are left out.
  /// - Parameter kind: what the lines are, in the plural.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, `configuration` when it is empty, or all
  ///   lines are.
  static func read(_ path: String, _ kind: String) throws(ApusError) -> [String] {
    let text = try TextFile.read(path)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { String($0.trimming(while: \.isWhitespace)) }.filter { !$0.isEmpty }
    guard !lines.isEmpty else {
      throw ApusError(
        .configuration, text.isEmpty ? "it is empty: no \(kind)" : "no \(kind)",
        expected: "one in each line", file: path)
    }
    return lines
  }
}

extension Substring {
  func trimming(while isIn: (Character) -> Bool) -> Substring {
    var text = drop(while: isIn)
    while let last = text.last, isIn(last) { text.removeLast() }
    return text
  }
}
