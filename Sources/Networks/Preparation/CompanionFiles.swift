import Formats
import TensorCore

/// The files that may lie beside a model and say how it is used. Nobody named them, so one that does not fit the
/// model is passed over.
package struct CompanionFiles: Sendable {
  private let folder: String

  /// - Parameter path: the model's folder.
  package init(in path: String) { folder = path }

  /// - Parameter path: the model's file.
  package init(beside path: String) {
    let end = path.lastIndex(of: "/")
    folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// The labels in `labels.json` or `labels.txt`, when there is one for each class.
  package func labels(classCount: Int) -> LabelFile? {
    for name in ["labels.json", "labels.txt"] {
      guard let file = try? LabelFile(contentsOf: "\(folder)/\(name)") else { continue }
      if file.labels.count == classCount { return file }
    }
    return nil
  }

  /// What `labels.json` says of classes, for models that bring labels of their own: by label.
  package var labelDetails: [String: LabelDetails] {
    (try? LabelFile(contentsOf: "\(folder)/labels.json"))?.details ?? [:]
  }

  package var metadataPath: String { "\(folder)/meta.json" }

  /// What `meta.json` says, when its `input_size` is the extent of the model's input.
  package func metadata(for input: TensorType? = nil) -> ClassifierMetadata? {
    guard let metadata = try? ClassifierMetadata(contentsOf: metadataPath) else { return nil }
    guard let size = metadata.inputSize, let input else { return metadata }
    return Self.isSize(size, of: input.shape.dimensions) ? metadata : nil
  }

  /// Whether height and width stand in a row of the extents, channels last or first.
  private static func isSize(_ size: [Int], of extents: [Int]) -> Bool {
    extents.indices.dropLast().contains { [extents[$0], extents[$0 + 1]] == size }
  }
}
