import CLibrary

/// Access to the disk. Paths are texts as ``FileName`` makes them; links are followed.
package enum FileSystem {
  package static func isFolder(_ path: String) -> Bool { status(of: path).map(isFolder) ?? false }

  /// Whether there is anything but a folder.
  package static func isFile(_ path: String) -> Bool { status(of: path).map { !isFolder($0) } ?? false }

  /// Whether what is there hands on what is written to it, as a pipe or a terminal does.
  package static func isStream(_ path: String) -> Bool {
    status(of: path).map { !isFolder($0) && $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  package static func exists(_ path: String) -> Bool { status(of: path) != nil }

  /// Whether this process may write a file, or make files in a folder.
  package static func isWritable(_ path: String) -> Bool { path.inPlace { faccessat($0, $1, W_OK, 0) } == 0 }

  /// The owner, permissions and names of a file; nil for anything else, or nothing.
  static func regularStatus(of path: String) -> stat? {
    status(of: path).flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0 : nil }
  }

  /// Size and times of what is there; nil when nothing is.
  package static func version(of path: String) -> FileVersion? { status(of: path).map(FileVersion.init) }

  private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return path.inPlace { fstatat($0, $1, &status, 0) } == 0 ? status : nil
  }

  /// Whether it is a folder itself, and no link to one.
  private static func isFolderItself(_ path: String) -> Bool {
    var status = stat()
    return path.inPlace { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) } == 0 && isFolder(status)
  }

  /// The names in a folder, sorted by their bytes; nil when it cannot be read.
  package static func names(in folder: String) -> [String]? { try? entries(of: folder) }

  /// The names in a folder, sorted by their bytes.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read.
  package static func entries(of folder: String) throws(ApusError) -> [String] {
    let descriptor = folder.inPlace { openat($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw unreadable(folder) }
    guard let stream = fdopendir(descriptor) else {
      let error = unreadable(folder)
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw unreadable(folder) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map(FileName.text)
  }

  /// The error of a folder, whose reason is in `errno`.
  private static func unreadable(_ folder: String) -> ApusError {
    ApusError(.file, "cannot be read: \(String(cString: strerror(errno)))", file: folder)
  }

  /// The paths of all but folders in a folder and below, relative to it, sorted by their bytes. Links to folders are
  /// not gone into.
  /// - Throws: ``ApusError`` of kind `file` when a folder cannot be read.
  package static func paths(below folder: String) throws(ApusError) -> [String] {
    let (paths, failures) = found(below: folder)
    if let failure = failures.first { throw failure.error }
    return paths
  }

  /// The same as far as folders can be read, and those that cannot.
  package static func found(below folder: String) -> (
    paths: [String], failures: [(folder: String, error: ApusError)]
  ) {
    var paths: [String] = []
    var failures: [(folder: String, error: ApusError)] = []
    var pending = [""]
    while let place = pending.popLast() {
      let names: [String]
      let full = place.isEmpty ? folder : folder.hasSuffix("/") ? folder + place : "\(folder)/\(place)"
      do { names = try entries(of: full) } catch {
        failures.append((full, error))
        continue
      }
      for name in names {
        let path = place + name
        if isFolderItself("\(folder)/\(path)") { pending.append(path + "/") } else { paths.append(path) }
      }
    }
    return (paths.sorted { FileName.bytes($0).lexicographicallyPrecedes(FileName.bytes($1)) }, failures)
  }

  /// The path from the root without links; nil when nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = path.withFileName({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FileName.text(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// The path that the last of the links at a path leads to, whether anything is there or not.
  static func target(of path: String) -> String {
    var path = path
    // As many links as Linux follows.
    for _ in 0..<40 {
      guard let link = link(path) else { break }
      let folder = FileName.folder(of: path)
      path = link.hasPrefix("/") || folder.isEmpty ? link : "\(folder)/\(link)"
    }
    return path
  }

  /// The target of a link; nil if there is none.
  private static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = Int(path.inPlace { CInt(clamping: readlinkat($0, $1, &bytes, bytes.count)) })
    return count > 0 ? FileName.text(bytes[..<count].map(UInt8.init(bitPattern:))) : nil
  }

  /// Makes a folder, and those that lead to it.
  /// - Parameter mode: who may do what in it, if it is made, but for what the process's mask takes away.
  /// - Throws: ``ApusError`` of kind `file` when that fails, or something else is there.
  package static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(ApusError) {
    guard !isFolder(path) else { return }
    let parent = FileName.folder(of: path)
    if !parent.isEmpty, parent != path { try makeFolder(parent) }
    guard path.inPlace({ mkdirat($0, $1, mode) }) == 0 || isFolder(path) else {
      throw ApusError(.file, "cannot be created: \(String(cString: strerror(errno)))", file: path)
    }
  }

  /// Gives a file or folder another name; `errno` says why not.
  static func rename(_ path: String, to target: String) -> Bool {
    path.inPlace { folder, name in target.inPlace { renameat(folder, name, $0, $1) } } == 0
  }

  /// Removes a file or a link, not what it leads to.
  package static func removeFile(_ path: String) { _ = path.inPlace { unlinkat($0, $1, 0) } }

  /// Removes a file, a link, or a folder and all that is in it, as far as that goes.
  package static func remove(_ path: String) {
    guard isFolderItself(path) else { return removeFile(path) }
    for name in names(in: path) ?? [] { remove("\(path)/\(name)") }
    _ = path.inPlace { unlinkat($0, $1, AT_REMOVEDIR) }
  }
}
