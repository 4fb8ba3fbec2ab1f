import Formats
import TensorCore

/// The files that may lie beside a model and say how it is used: `labels.json`, `labels.txt` and `meta.json`.
///
/// Nobody named them, so those of something else are passed over: folders, files over the limit of their kind, labels of
/// another number of classes, metadata of another input size, JSON that is meant for no model. Notes say so, as somebody
/// may have meant them all the same. What is left is refused when it is damaged, as if it had been named.
package struct CompanionFiles: Sendable {
  private let folder: String

  /// - Parameter path: the model's folder.
  package init(in path: String) { folder = path }

  /// - Parameter path: the model's file.
  package init(beside path: String) {
    let folder = FileName.folder(of: path)
    self.folder = folder.isEmpty ? "." : folder
  }

  /// The labels in `labels.json` or `labels.txt`, when there is one for each class, and why a file is passed over.
  /// - Throws: ``ApusError`` of kind `configuration` or `file` that names the file, when it is damaged.
  package func labels(classCount: Int) throws(ApusError) -> Noted<LabelFile?> {
    var notes: [String] = []
    for name in ["labels.json", "labels.txt"] {
      let found = try labelFile(name, classCount, [], &notes)?.labels(forClasses: classCount)
      guard let found else { continue }
      if found.labels.count == classCount { return Noted(found, notes) }
      let labels = Self.counted(found.labels.count, "label", "labels")
      let classes = Self.counted(classCount, "class", "classes")
      notes.append(Self.note(name, "has \(labels), the model \(classes)"))
    }
    return Noted(nil, notes)
  }

  /// What `labels.json` says of classes, for models that bring labels of their own: by their positions; and why the file is
  /// passed over.
  /// - Throws: as ``labels(classCount:)``, and where it does not say which of several classes of one label it means.
  package func labelDetails(of labels: [String]) throws(ApusError) -> Noted<[Int: LabelDetails]> {
    let name = "labels.json"
    var notes: [String] = []
    guard let file = try labelFile(name, labels.count, labels, &notes) else { return Noted([:], notes) }
    let details = try naming("\(folder)/\(name)") { () throws(ApusError) in try file.details(of: labels) }
    let (said, own) = (file.labels.map { ExactText($0) }, labels.map { ExactText($0) })
    if details.isEmpty, said != own {
      let areKnown = Set(said).isSubset(of: own)
      notes.append(
        Self.note(
          name,
          areKnown
            ? "says nothing but labels, and the model has its own"
            : "names other classes than the model itself"))
    }
    return Noted(details, notes)
  }

  package var metadataPath: String { "\(folder)/\(Self.metadataName)" }

  private static let metadataName = "meta.json"

  /// What `meta.json` says, when its `input_size` is the extent of the model's input, and why the file is passed over.
  /// - Throws: ``ApusError`` of kind `configuration` or `file` that names the file, when it is damaged.
  package func metadata(for input: TensorType? = nil) throws(ApusError) -> Noted<ClassifierMetadata?> {
    var notes: [String] = []
    guard isThere(Self.metadataName, ClassifierMetadata.maximumByteCount, &notes) else {
      return Noted(nil, notes)
    }
    let metadata: ClassifierMetadata
    do {
      metadata = try ClassifierMetadata(contentsOf: metadataPath)
    } catch {
      if let value = try? LabelFile.json(contentsOf: metadataPath), !value.isObject {
        return Noted(nil, [Self.note(Self.metadataName, "is no JSON object")])
      }
      throw Self.advised(error)
    }
    guard let size = metadata.inputSize, let input else { return Noted(metadata) }
    if Self.isSize(size, metadata.inputChannels, of: input.shape.dimensions) { return Noted(metadata) }
    let stated = size + (metadata.inputChannels.map { [$0] } ?? [])
    let reason = "has input_size \(stated), the model an input of \(input.shape)"
    return Noted(nil, [Self.note(Self.metadataName, reason)])
  }

  /// - Parameters:
  ///   - own: the labels that the model brings.
  ///   - notes: is added why the file is passed over.
  private func labelFile(
    _ name: String, _ classCount: Int, _ own: [String], _ notes: inout [String]
  ) throws(ApusError) -> LabelFile? {
    let path = "\(folder)/\(name)"
    guard isThere(name, LabelFile.maximumByteCount, &notes) else { return nil }
    do {
      return try LabelFile(contentsOf: path)
    } catch {
      if let value = try? LabelFile.json(contentsOf: path),
        !LabelFile.isMeant(value, forClasses: classCount, labels: own)
      {
        notes.append(Self.note(name, "holds no labels of it"))
        return nil
      }
      throw Self.advised(error)
    }
  }

  private func isThere(_ name: String, _ limit: Int, _ notes: inout [String]) -> Bool {
    let path = "\(folder)/\(name)"
    guard let version = FileSystem.version(of: path) else { return false }
    guard FileSystem.isFile(path) else {
      notes.append(Self.note(name, "is a folder"))
      return false
    }
    guard version.byteCount <= limit else {
      notes.append(Self.note(name, "has more than \(limit >> 20) MiB"))
      return false
    }
    return true
  }

  private static func note(_ name: String, _ reason: String) -> String {
    "\(name) beside the model \(reason): passed over"
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  private static func advised(_ error: ApusError) -> ApusError {
    var error = error
    error.advice =
      error.advice
      ?? "It is read as it lies beside the model: correct it, or rename it if it is of something else."
    return error
  }

  /// Whether height and width stand in a row of the extents, and the channels, where they are stated, last or first.
  private static func isSize(_ size: [Int], _ channels: Int?, of extents: [Int]) -> Bool {
    extents.indices.dropLast().contains { place in
      guard [extents[place], extents[place + 1]] == size else { return false }
      guard let channels else { return true }
      return extents[..<place].last == channels || extents[(place + 2)...].first == channels
    }
  }
}
