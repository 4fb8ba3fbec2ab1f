import Formats
import TensorCore

/// The files beside a model in which elements of its tensors lie: each mapped once.
final class ONNXExternalFiles: Sendable {
  private let files = Lock<[ExactText: MappedFile]>([:])

  /// A file in the model's folder.
  /// - Throws: ``ApusError`` of kind `file` when there is none, or it leads out of the folder by a link.
  func file(_ location: String, in folder: String) throws(ApusError) -> MappedFile {
    let path = folder.isEmpty ? location : "\(folder)/\(location)"
    if let known = files.withLock({ $0[ExactText(path)] }) { return known }
    guard Self.isInside(path, folder) else {
      throw ApusError(
        .file, "leads out of the model's folder", expected: "a file in it, or in the same cache", file: path)
    }
    let file = try MappedFile(path)
    files.withLock { $0[ExactText(path)] = file }
    return file
  }

  /// Whether what a path leads to lies in the folder, or among the blobs of a Hugging Face cache that the folder is in, to which
  /// its names are links.
  private static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let file = FileSystem.resolved(path), let root = FileSystem.resolved(folder.isEmpty ? "." : folder)
    else {
      // Nothing is there, which opening it tells better.
      return true
    }
    if ExactText(file).below(root) != nil { return true }
    let parts = root.utf8.split(separator: UInt8(ascii: "/"))
    guard let snapshots = parts.lastIndex(where: { $0.elementsEqual("snapshots".utf8) }) else { return false }
    let cache = "/" + parts[..<snapshots].map { String(Substring($0)) }.joined(separator: "/")
    return ExactText(file).below("\(cache)/blobs") != nil
  }
}
