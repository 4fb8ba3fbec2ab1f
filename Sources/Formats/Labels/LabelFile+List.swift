import TensorCore

/// A file of one line that holds commas: labels hold commas too, so that only the number of classes tells what it is.
extension LabelFile {
  /// What stands between the commas of a line; nil when it holds none.
  static func list(_ line: String) -> [String]? {
    let names = line.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    return names.count > 1 ? names : nil
  }

  /// The labels of a model of so many classes: where the only line lists as many, each of these is one.
  package func labels(forClasses count: Int) -> LabelFile {
    guard let listed, listed.count == count else { return self }
    return LabelFile(labels: listed)
  }

  /// How the labels fit a model.
  /// - Throws: ``ApusError`` of kind `configuration` when they do not.
  package func alignment(classCount: Int) throws(ApusError) -> LabelAlignment {
    do throws(ApusError) {
      return try LabelAlignment(labels: labels, classCount: classCount)
    } catch {
      guard let listed else { throw error }
      var error = error
      error.advice =
        "Its one line is a label, or a list of \(listed.count) between commas: write one on each line."
      throw error
    }
  }

  /// Where nobody knows how many labels are meant.
  /// - Throws: ``ApusError`` of kind `configuration` when the file may be a list, or one label that holds commas.
  package func refuseList() throws(ApusError) {
    guard let listed else { return }
    throw ApusError(
      .configuration, "one line with commas, '\(labels[0].clipped)': one label, or \(listed.count)",
      expected: "a label on each line",
      advice: "One label that holds commas is written as a JSON list: [\"a, b\"].")
  }
}
