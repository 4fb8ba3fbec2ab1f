import TensorCore

/// A file of one line that holds commas: labels hold commas too, so that only the number of classes tells what it is.
extension LabelFile {
  /// Whether commas of a line stand between words.
  static func hasCommas(_ line: String) -> Bool {
    line.split(separator: ",").count { !$0.trimmed.isEmpty } > 1
  }

  /// Whether the only line of text, which counts as one label, may be a list of them.
  package var mayBeList: Bool { commaLine != nil }

  /// The labels in that line; nil where it cannot be a list.
  private var listed: [String]? {
    guard let commaLine, var names = Self.values(commaLine) else { return nil }
    if names.last == "" { names.removeLast() }
    return names.count > 1 && !names.contains("") ? names : nil
  }

  /// The values between the commas of a line, of which some may stand in quotes, as RFC 4180 has it; nil where a quote has no
  /// end, or something behind it.
  private static func values(_ line: String) -> [String]? {
    var values: [String] = []
    var rest = line[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.first == "\"" {
        guard let value = takeQuoted(&rest) else { return nil }
        values.append(value.trimmed)
        rest = rest.drop(while: \.isWhitespace)
        guard rest.isEmpty || rest.first == "," else { return nil }
      } else {
        let value = rest.prefix { $0 != "," }
        values.append(value.trimmed)
        rest = rest[value.endIndex...]
      }
      guard !rest.isEmpty else { return values }
      rest = rest.dropFirst()
    }
  }

  /// Takes a value in quotes, in which two of them stand for one.
  private static func takeQuoted(_ rest: inout Substring) -> String? {
    var value = ""
    rest = rest.dropFirst()
    while let end = rest.firstIndex(of: "\"") {
      value += rest[..<end]
      rest = rest[end...].dropFirst()
      guard rest.first == "\"" else { return value }
      value += "\""
      rest = rest.dropFirst()
    }
    return nil
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
      guard mayBeList else { throw error }
      var error = error
      let list = listed.map { ", or a list of \($0.count) between commas" } ?? ""
      error.advice = "Its one line is a label\(list): write one on each line."
      throw error
    }
  }

  /// Where nobody knows how many labels are meant.
  /// - Throws: ``ApusError`` of kind `configuration` when the file may be a list, or one label that holds commas.
  package func refuseList() throws(ApusError) {
    guard let commaLine else { return }
    let count = listed.map { "\($0.count)" } ?? "several"
    throw ApusError(
      .configuration, "one line with commas, '\(commaLine.clipped)': one label, or \(count)",
      expected: "a label on each line",
      advice: "Write a label that contains commas as a JSON list: [\"a, b\"].")
  }
}
