import CLibrary

/// Files that have no name until they are whole: the system removes them when the process ends, however it ends.
extension NewFile {
  /// `O_TMPFILE`, whose macro is not imported.
  private static let nameless: CInt = O_DIRECTORY | 0o20_000_000

  /// Opens a file without a name in the folder of a name that it may get.
  /// - Returns: nil where the file system makes no such files, nothing could link them, or no file could have that name.
  package static func openNameless(for name: String, _ permissions: mode_t) -> CInt? {
    var status = stat()
    guard name.inPlace({ fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) != 0, errno == ENOENT else {
      return nil
    }
    let folder = FileName.folder(of: name)
    let descriptor = (folder.isEmpty ? "." : folder).inPlace {
      openat($0, $1, O_RDWR | nameless | O_CLOEXEC, permissions)
    }
    guard descriptor >= 0 else { return nil }
    guard access(place(of: descriptor), F_OK) == 0 else {
      close(descriptor)
      return nil
    }
    if !heedsMask, let mask { withhold(mask, from: descriptor) }
    return descriptor
  }

  /// Gives a file that was opened without a name one.
  /// - Returns: whether that went well; `errno` says why not.
  package static func link(_ descriptor: CInt, to name: String) -> Bool {
    name.inPlace { linkat(AT_FDCWD, place(of: descriptor), $0, $1, AT_SYMLINK_FOLLOW) } == 0
  }

  private static func place(of descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }
}
