import CommandSupport
import Apus
import Images
import TensorCore

/// The picture files that the arguments of a command stand for.
enum PictureList {
  /// What can be told of one argument.
  enum Entry {
    case file(String)
    /// An argument that stands for no file.
    case failure(String, ApusError)
  }

  /// Files as they are, whatever their names; pictures in folders and below, in order; and names that match a pattern.
  static func expand(_ argument: String) -> [Entry] {
    if FileSystem.exists(argument) || !argument.contains(where: { "*?[".contains($0) }) {
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
    guard FileSystem.isFolder(path) else { return [.file(path)] }
    let (paths, failures) = PictureFiles.found(below: path)
    guard !paths.isEmpty || !failures.isEmpty else { return [.failure(path, PictureFiles.absent(in: path))] }
    return paths.map { .file(path.hasSuffix("/") ? path + $0 : "\(path)/\($0)") }
      + failures.map { .failure($0.folder, $0.error) }
  }
}
