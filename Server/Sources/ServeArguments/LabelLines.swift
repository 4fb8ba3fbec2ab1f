import Apus

/// A file with a label or a key in each line.
enum LabelLines {
  /// The lines without white space around them; empty ones are left out.
  /// - Parameters:
  ///   - kind: what the lines are, in the plural.
  ///   - hasComments: whether lines that begin with `#` are left out too.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, `configuration` when no line is left.
  static func read(
    _ path: String, _ kind: String, hasComments: Bool = false
  ) throws(ApusError) -> [String] {
    let text = try TextFile.read(path)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { String($0.trimming(while: \.isWhitespace)) }
      .filter { !$0.isEmpty && !(hasComments && $0.hasPrefix("#")) }
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
