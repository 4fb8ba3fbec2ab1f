import Apus
import FoundationEssentials

/// A file with a label or a key in each line.
enum LabelLines {
  /// The lines without white space around them; empty ones are left out, and the mark by which some editors begin a file.
  /// - Parameter kind: what the lines are, in the plural.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, `configuration` when all lines are empty.
  static func read(_ path: String, _ kind: String) throws(ApusError) -> [String] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ApusError(.file, "it cannot be read", file: path)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.trimmingPrefix("\u{FEFF}").split(whereSeparator: \.isNewline)
      .map { String($0.trimming(while: \.isWhitespace)) }.filter { !$0.isEmpty }
    guard !lines.isEmpty else {
      throw ApusError(.configuration, "no \(kind)", expected: "one in each line", file: path)
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
