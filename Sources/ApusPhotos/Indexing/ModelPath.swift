import Glibc
import TensorCore

/// Where the model of an index lies: from whatever folder the index is used, that is one place.
package enum ModelPath {
  /// A path from `/`. Links stay as they are: one may lead to another place tomorrow, with the same model.
  package static func absolute(_ path: String) -> String {
    guard isRelative(path), let folder = currentFolder() else { return path }
    var below = path.utf8[...]
    while below.starts(with: "./".utf8) { below = below.dropFirst(2).drop { $0 == UInt8(ascii: "/") } }
    let rest = String(decoding: below, as: UTF8.self)
    if rest.isEmpty || rest == "." { return folder }
    return folder == "/" ? "/" + rest : "\(folder)/\(rest)"
  }

  /// - Throws: ``ApusError`` of kind `file` where nothing is at the path that an index has.
  package static func check(_ path: String) throws(ApusError) {
    guard !FileSystem.exists(path) else { return }
    guard isRelative(path) else {
      throw ApusError(
        .file, "the model that photographs were indexed with is not there", file: path,
        advice: "Put it back, or index once more with --model and where it lies now.")
    }
    throw ApusError(
      .file, "the model was indexed as '\(FileName.readable(path))', from another folder", file: path,
      advice: "Search from that folder, or index once more with --model and where it lies.")
  }

  private static func isRelative(_ path: String) -> Bool { path.utf8.first != UInt8(ascii: "/") }

  private static func currentFolder() -> String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FileName.text(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }
}
