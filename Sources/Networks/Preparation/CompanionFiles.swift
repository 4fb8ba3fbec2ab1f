import Formats
import TensorCore

/// The files that may lie beside a model and say how it is used: `labels.json`, `labels.txt` and `meta.json`.
///
/// Nobody named them, so those of something else are passed over: folders, files over the limit of their kind, labels of
/// another number of classes, metadata of another input size, JSON that is meant for no model. What is left is refused
/// when it is damaged, as if it had been named.
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
  /// - Throws: ``ApusError`` of kind `configuration` or `file` that names the file, when it is damaged.
  package func labels(classCount: Int) throws(ApusError) -> LabelFile? {
    for name in ["labels.json", "labels.txt"] {
      let file = try labelFile(name, classCount)?.labels(forClasses: classCount)
      if let file, file.labels.count == classCount { return file }
    }
    return nil
  }

  /// What `labels.json` says of classes, for models that bring labels of their own: by their positions.
  /// - Throws: as ``labels(classCount:)``, and where it does not say which of several classes of one label it means.
  package func labelDetails(of labels: [String]) throws(ApusError) -> [Int: LabelDetails] {
    let name = "labels.json"
    guard let file = try labelFile(name, labels.count, labels) else { return [:] }
    return try naming("\(folder)/\(name)") { () throws(ApusError) in try file.details(of: labels) }
  }

  package var metadataPath: String { "\(folder)/meta.json" }

  /// What `meta.json` says, when its `input_size` is the extent of the model's input.
  /// - Throws: ``ApusError`` of kind `configuration` or `file` that names the file, when it is damaged.
  package func metadata(for input: TensorType? = nil) throws(ApusError) -> ClassifierMetadata? {
    guard isThere(metadataPath, ClassifierMetadata.maximumByteCount) else { return nil }
    let metadata: ClassifierMetadata
    do {
      metadata = try ClassifierMetadata(contentsOf: metadataPath)
    } catch {
      if let value = try? LabelFile.json(contentsOf: metadataPath), !value.isObject { return nil }
      throw Self.advised(error)
    }
    guard let size = metadata.inputSize, let input else { return metadata }
    return Self.isSize(size, of: input.shape.dimensions) ? metadata : nil
  }

  /// - Parameter own: the labels that the model brings.
  private func labelFile(
    _ name: String, _ classCount: Int, _ own: [String] = []
  ) throws(ApusError) -> LabelFile? {
    let path = "\(folder)/\(name)"
    guard isThere(path, LabelFile.maximumByteCount) else { return nil }
    do {
      return try LabelFile(contentsOf: path)
    } catch {
      if let value = try? LabelFile.json(contentsOf: path),
        !LabelFile.isMeant(value, forClasses: classCount, labels: own)
      {
        return nil
      }
      throw Self.advised(error)
    }
  }

  private func isThere(_ path: String, _ limit: Int) -> Bool {
    FileSystem.isFile(path) && FileSystem.version(of: path).map { $0.byteCount <= limit } ?? false
  }

  private static func advised(_ error: ApusError) -> ApusError {
    var error = error
    error.advice =
      error.advice
      ?? "It is read as it lies beside the model: correct it, or rename it if it is of something else."
    return error
  }

  /// Whether height and width stand in a row of the extents, channels last or first.
  private static func isSize(_ size: [Int], of extents: [Int]) -> Bool {
    extents.indices.dropLast().contains { [extents[$0], extents[$0 + 1]] == size }
  }
}
