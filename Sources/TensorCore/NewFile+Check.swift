import CLibrary

/// Whether a file could be written, found out before the work that it is for: nothing is made, emptied or changed.
extension NewFile {
  /// - Throws: ``ApusError`` of kind `file` where ``init(following:)``, or ``commit()`` after it, would find a folder in the
  ///   place of the file, no folder that files can be made in, or a file that can neither be replaced nor written.
  package static func check(following path: String) throws(ApusError) {
    let target = FileSystem.target(of: path)
    if FileSystem.isFolder(target) { throw failure("cannot be replaced", EISDIR, target) }
    if let old = FileSystem.regularStatus(of: target) {
      // A file of somebody else's cannot become another's, but for the superuser.
      let isOwn = geteuid() == 0 || geteuid() == old.st_uid
      guard isOwn && isReplaceable(old, at: target) || FileSystem.isWritable(target) else {
        throw failure("cannot be written", errno, target)
      }
      return
    }
    try checkFolder(target.hasSuffix("/") ? target : FileName.folder(of: target), of: target)
  }

  /// - Throws: ``ApusError`` of kind `file` where ``init(replacing:)``, or a ``NewFolder`` of that path, would find no folder
  ///   that something can be made in.
  package static func check(replacing path: String) throws(ApusError) {
    try checkFolder(FileName.folder(of: path), of: path)
  }

  private static func checkFolder(_ folder: String, of path: String) throws(ApusError) {
    guard !path.isEmpty else { throw failure("cannot be created", ENOENT, path) }
    // The dot is only in folders.
    let place = folder.isEmpty ? "." : "\(folder)/."
    guard place.inPlace({ faccessat($0, $1, W_OK | X_OK, 0) }) == 0 else {
      throw failure("cannot be created", errno, path)
    }
    // Nothing needs to be there, but the name must be one.
    var status = stat()
    guard path.inPlace({ fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) == 0 || errno == ENOENT else {
      throw failure("cannot be created", errno, path)
    }
  }

  private static func failure(_ problem: String, _ reason: CInt, _ path: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(reason)))", file: path)
  }
}
