import Apus
import FoundationEssentials

/// A file with a label in each line.
enum LabelLines {
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, `configuration` when it has no labels.
  static func read(_ path: String) throws -> [String] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ApusError(.file, "it cannot be read", file: path)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let labels = lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.filter { !$0.isEmpty }.map(
      String.init)
    guard !labels.isEmpty else {
      throw ApusError(.configuration, "no labels", expected: "one in each line", file: path)
    }
    return labels
  }
}
