import Formats
import Networks
import TensorCore

/// The name of each class of a model.
struct ClassLabels: Sendable {
  private let labels: [String]
  private let alignment: LabelAlignment

  /// The labels of the file at `path`; else those that the model itself brings; else none.
  /// - Parameters:
  ///   - model: the model's name in errors about its own labels.
  /// - Throws: ``ApusError`` when they cannot be read or are not as many as the classes.
  init(
    path: String?, model: String, classCount: Int, own: () throws(ApusError) -> [String]?
  ) throws(ApusError) {
    let found: [String]?
    if let path { found = try LabelFile(contentsOf: path).labels } else { found = try own() }
    labels = found ?? []
    guard let found else {
      alignment = .exact
      return
    }
    alignment = try naming(path ?? model) { () throws(ApusError) in
      try LabelAlignment(labels: found, classCount: classCount)
    }
  }

  /// Whether there are any.
  var isEmpty: Bool { labels.isEmpty }

  /// The name of a class: its label, `background` for a background class without one, or its number.
  subscript(index: Int) -> String {
    if labels.isEmpty { return "\(index)" }
    guard let position = alignment.label(ofClass: index) else { return "background" }
    return labels.indices.contains(position) && !labels[position].isEmpty ? labels[position] : "\(index)"
  }
}
