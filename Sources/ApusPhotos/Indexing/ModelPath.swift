import Formats
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

  /// What opens the model of an index as it was asked for: its path; or the folder around that whose list of modules puts
  /// the model there, which indexes of earlier versions of Apus do not name.
  /// - Parameter name: what the model was asked for by. Who asked for the folder inside means that one.
  package static func opening(_ path: String, askedAs name: String) -> String {
    guard let place = FileSystem.resolved(path).map({ ExactPath($0) }),
      ExactPath(FileName.last(of: name)) != ExactPath(FileName.last(of: path)),
      FileSystem.resolved(name).map({ ExactPath($0) }) != place
    else { return path }
    var folder = FileName.folder(of: path)
    while !folder.isEmpty, folder != "/" {
      if FileSystem.isFile("\(folder)/modules.json"), let model = try? ModelFolder(folder), model.isInside,
        FileSystem.resolved(model.path).map({ ExactPath($0) }) == place
      {
        return folder
      }
      folder = FileName.folder(of: folder)
    }
    return path
  }

  private static func isRelative(_ path: String) -> Bool { path.utf8.first != UInt8(ascii: "/") }

  private static func currentFolder() -> String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FileName.text(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }
}
