import Formats
import Networks
import TensorCore

/// The names of classes as the user gives them: a file, or the names themselves.
public enum GivenLabels: Sendable, Hashable {
  case file(String)
  case names([String])

  /// A file of that name, or else names divided by commas. What is named as files of labels are is one, whether it is
  /// there or not.
  package init(_ text: String) {
    let names = FileName.readable(text).split(separator: ",").map(\.trimmed).filter {
      !$0.isEmpty
    }
    let isFile =
      FileSystem.isFile(text) || (names.count == 1 && Self.endings.contains(FileName.ending(of: text)))
    self = isFile ? .file(text) : .names(names)
  }

  private static let endings: Set = ["txt", "json", "csv", "tsv"]

  /// The names for a model that takes any labels.
  /// - Throws: ``ApusError`` when the file cannot be read, or does not tell whether it has one label or several.
  package func names() throws(ApusError) -> [String] {
    switch self {
    case .names(let names): return names
    case .file(let path):
      let file = try LabelFile(contentsOf: path)
      try naming(path) { () throws(ApusError) in try file.refuseList() }
      return file.labels
    }
  }

  /// The file, for models that are told of one.
  /// - Throws: ``ApusError`` of kind `argument` when the names stand by themselves.
  package func file() throws(ApusError) -> String {
    guard case .file(let path) = self else {
      throw ApusError(
        .argument, "labels as text", expected: "a file with a line for each class",
        advice:
          "Only models that take any labels, such as those of \(Doing.zeroShot), are given them as text."
      )
    }
    return path
  }
}
