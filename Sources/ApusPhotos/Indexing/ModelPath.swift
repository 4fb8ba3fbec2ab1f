import CLibrary
import Formats
import Networks
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
        advice: "Restore it, or index again with \(Setting.model) and where it lies now.")
    }
    throw ApusError(
      .file, "the model was indexed as '\(FileName.readable(path))', from another folder", file: path,
      advice: "Search from that folder, or index once more with \(Setting.model) and where it lies.")
  }

  /// The path that opens the model of an index as requested: its own, or the folder around it whose list of modules names it.
  /// Indexes of earlier versions of Apus do not name the folder around it.
  /// - Parameter name: the requested name. The name of the folder inside means that folder.
  package static func opening(_ path: String, askedAs name: String) -> String {
    guard let place = resolved(path) else { return path }
    var folder = FileName.folder(of: path)
    while !folder.isEmpty, folder != "/" {
      if isName(name, of: folder, around: path), FileSystem.isFile("\(folder)/modules.json"),
        let model = try? ModelFolder(folder), model.isInside, resolved(model.path) == place
      {
        return isSupported(folder) ? folder : path
      }
      folder = FileName.folder(of: folder)
    }
    return path
  }

  /// Whether a name means a folder. A relative name belongs to a working folder that is not known any more: its last part
  /// decides, if it has one.
  private static func isName(_ name: String, of folder: String, around path: String) -> Bool {
    if !isRelative(name), let place = resolved(name) { return resolved(folder) == place }
    if let repository = RepositoryName(name)?.folderName,
      folder.split(separator: "/").contains(where: { $0 == repository })
    {
      return true
    }
    let last = ExactText(FileName.last(of: name))
    return hasLastPart(name) && last == ExactText(FileName.last(of: folder))
      && last != ExactText(FileName.last(of: path))
  }

  /// Whether the last part of a name tells folders apart.
  static func hasLastPart(_ name: String) -> Bool { ![".", ".."].contains(FileName.last(of: name)) }

  /// Whether a model lies in a folder, or in the one inside, and was asked for by the folder.
  static func isNamed(_ name: String, _ folder: String, around path: String) -> Bool {
    guard let place = place(path), self.place(folder) == place else { return false }
    return isName(name, of: folder, around: path)
  }

  /// The folder that a model is asked for by now, where that opens it; nil where it is the one that the model was indexed
  /// by, and is refused for what is beside its list of modules.
  static func asked(_ folder: String, for path: String, askedAs name: String) -> String? {
    guard resolved(folder) != resolved(path), isName(name, of: folder, around: path) else { return folder }
    return isSupported(folder) ? folder : nil
  }

  /// Whether a name may be one that an index has, as it is no path of a model here and now. A path from `/` is the same
  /// everywhere.
  static func mayBeStoredName(_ name: String) -> Bool {
    guard isRelative(name), FileSystem.exists(name) else { return true }
    guard let folder = try? ModelFolder(name) else { return FileName.ending(of: name) != "tflite" }
    return !folder.isInside
      && ["config.json", ModelFolder.openCLIPFile].allSatisfy { folder.file($0) == nil }
  }

  /// A path without links; nil where nothing is.
  static func resolved(_ path: String) -> ExactText? { FileSystem.resolved(path).map { ExactText($0) } }

  /// Whether Apus does what a folder asks for. What else is wrong with it, opening it says.
  private static func isSupported(_ folder: String) -> Bool {
    do throws(ApusError) {
      _ = try OpenedModel(folder)
      return true
    } catch {
      return error.kind != .unsupportedModel
    }
  }

  /// The folder from `/` that a caller names, itself or by its repository; nil where it is none of a model.
  static func folder(_ name: String) -> String? {
    (try? ModelFolder(name)).map { absolute($0.outer.path) }
  }

  /// Whether two paths are of one model to an index, such as a folder and the one inside that its list of modules names.
  static func areOne(_ path: String, _ other: String) -> Bool {
    guard let place = place(path), let otherPlace = self.place(other), place == otherPlace else {
      return false
    }
    return ModelIdentity(path).stamp == ModelIdentity(other).stamp
  }

  /// Where a model's own files are, without links.
  private static func place(_ path: String) -> ExactText? {
    resolved((try? ModelFolder(path))?.path ?? path)
  }

  private static func isRelative(_ path: String) -> Bool { path.utf8.first != UInt8(ascii: "/") }

  private static func currentFolder() -> String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FileName.text(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }
}
