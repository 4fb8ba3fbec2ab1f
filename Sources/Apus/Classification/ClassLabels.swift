import Formats
import TensorCore

/// The name of each class of a model.
struct ClassLabels: Sendable {
  private let labels: [String]
  private let alignment: LabelAlignment

  /// The labels of the file at `path`; else those in the model's metadata; else none.
  /// - Throws: ``ApusError`` when they cannot be read or are not as many as the classes.
  init(path: String?, file: ModelFile, metadata: TFLiteMetadata?, output: Int, classCount: Int)
    throws(ApusError)
  {
    let source: String
    let found: LabelFile?
    if let path {
      source = path
      found = try LabelFile(contentsOf: path)
    } else {
      source = file.path
      found = try file.inFile { () throws(ApusError) in try metadata?.labels(ofOutput: output, in: file.bytes)
      }
    }
    labels = found?.labels ?? []
    guard found != nil else {
      alignment = .exact
      return
    }
    do {
      alignment = try LabelAlignment(labels: labels, classCount: classCount)
    } catch {
      throw error.inFile(source)
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
