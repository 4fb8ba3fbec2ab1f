import Apus
import CLibrary
import CommandSupport
import Images
import TensorCore

/// The picture files that the inputs of a command stand for.
enum PictureList {
  /// An input: a file, or a failure.
  enum Entry {
    case file(String)
    /// An argument without a file.
    case failure(String, ApusError)
  }

  /// Files as they are, whatever their names; pictures in folders and below, in order; and names that match a pattern.
  /// An item of a list is no pattern, and where it is empty it is nothing.
  static func expand(_ input: InputGroups.Input) -> [Entry] {
    switch input {
    case .argument(let argument): matched(argument)
    case .line(let bytes): bytes.isEmpty ? [] : named(FileName.text(bytes))
    }
  }

  private static func matched(_ argument: String) -> [Entry] {
    if FileSystem.exists(argument) || !argument.contains(where: { "*?[".contains($0) }) {
      return named(argument)
    }
    let matches = Glob.matches(argument)
    guard !matches.isEmpty else {
      return [.failure(argument, ApusError(.file, "no file matches the pattern", file: argument))]
    }
    return matches.flatMap(named)
  }

  /// A file, of which opening says why it is not there, or the pictures of a folder.
  private static func named(_ path: String) -> [Entry] {
    guard FileSystem.isFolder(path) else { return [.file(path)] }
    let (paths, failures) = PictureFiles.found(below: path)
    guard !paths.isEmpty || !failures.isEmpty else { return [.failure(path, PictureFiles.absent(in: path))] }
    let files = paths.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    return failures.isEmpty ? files.map(Entry.file) : merged(files, failures)
  }

  /// Files, and folders that cannot be read, in the order of their paths.
  private static func merged(
    _ files: [String], _ failures: [(folder: String, error: ApusError)]
  ) -> [Entry] {
    let entries =
      files.map { (bytes: FileName.bytes($0), entry: Entry.file($0)) }
      + failures.map { (bytes: FileName.bytes($0.folder), entry: Entry.failure($0.folder, $0.error)) }
    return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.entry)
  }
}

/// Names of files that match a shell pattern, for when no shell has expanded it.
enum Glob {
  static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard pattern.withFileName({ glob($0, 0, nil, &found) }) == 0, let paths = found.gl_pathv else {
      return []
    }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      paths[index].map { FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
