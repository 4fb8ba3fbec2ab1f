import Foundation
import TensorCore

/// The picture files that the arguments of a command stand for.
enum PictureList {
  private static let extensions: Set = ["jpg", "jpeg", "jpe", "jfif", "png"]

  /// What can be told of one argument.
  enum Entry {
    case file(String)
    /// An argument that stands for no file.
    case failure(String, ApusError)
  }

  /// Files as they are, whatever their names; pictures in folders and below, in order; names that match a
  /// pattern; and for `-` the lines of standard input.
  static func expand(_ arguments: [String]) -> [Entry] {
    arguments.flatMap { argument in argument == "-" ? linesOfInput().flatMap(expand) : expand(argument) }
  }

  private static func linesOfInput() -> [String] {
    var lines: [String] = []
    while let line = readLine() {
      let name = line.hasSuffix("\r") ? String(line.dropLast()) : line
      if !name.isEmpty { lines.append(name) }
    }
    return lines
  }

  private static func expand(_ argument: String) -> [Entry] {
    if FileManager.default.fileExists(atPath: argument) || !argument.contains(where: { "*?[".contains($0) }) {
      // Opening what is not there says why.
      return existing(argument)
    }
    let matches = Glob.matches(argument)
    guard !matches.isEmpty else {
      return [.failure(argument, ApusError(.file, "no file matches the pattern", file: argument))]
    }
    return matches.flatMap(existing)
  }

  /// A file, or the pictures of a folder.
  private static func existing(_ path: String) -> [Entry] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder.boolValue ? pictures(below: path) : [.file(path)]
  }

  private static func pictures(below folder: String) -> [Entry] {
    let enumerator = FileManager.default.enumerator(atPath: folder)
    var names: [String] = []
    while let name = enumerator?.nextObject() as? String {
      if extensions.contains((name as NSString).pathExtension.lowercased()) { names.append(name) }
    }
    guard !names.isEmpty else {
      return [
        .failure(
          folder,
          ApusError(
            .file, "a folder without pictures", expected: "files named .jpg, .jpeg or .png", file: folder))
      ]
    }
    return names.sorted().map { .file((folder as NSString).appendingPathComponent($0)) }
  }
}
