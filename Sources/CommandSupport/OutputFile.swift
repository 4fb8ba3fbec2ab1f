import CLibrary
import TensorCore

/// Files that commands write.
package enum OutputFile {
  /// Writes a file that appears when it is whole; one that is there stays until then, unless it has to be written in its
  /// place: see ``NewFile/init(following:)``. A pipe, a terminal or another device is handed the bytes.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be written.
  package static func write(_ bytes: [UInt8], to path: String) throws(ApusError) {
    if let descriptor = descriptor(path) {
      guard StandardStreams.write(bytes, to: descriptor) else { throw failure(path) }
    } else if FileSystem.isStream(path) {
      try OutputStream(path).write(bytes)
    } else {
      // Whoever may write in a folder may replace what is in it, and yet not what was made read-only.
      guard !FileSystem.exists(path) || FileSystem.isWritable(path) else { throw failure(path) }
      let file = try NewFile(following: path)
      try file.write(bytes)
      try file.commit()
    }
  }

  /// Finds out whether a file can be written, before the work that it is for; nothing is made or changed. From then on the
  /// program goes on for it when the reader of standard output has gone.
  /// - Parameter path: nil where none is asked for.
  /// - Throws: ``ApusError`` of kind `file` as ``write(_:to:)`` would, as far as that can be foreseen.
  package static func check(_ path: String?) throws(ApusError) {
    guard let path else { return }
    StandardStreams.goOnWithoutReader()
    if let descriptor = descriptor(path) {
      guard isOpenForWriting(descriptor) else { throw failure(path) }
      return
    }
    guard !FileSystem.exists(path) || FileSystem.isWritable(path) else { throw failure(path) }
    if !FileSystem.isStream(path) { try NewFile.check(following: path) }
  }

  /// Tells people of a file that was written: on standard error where standard output may be what was written to.
  package static func tell(_ text: String, of path: String) {
    if descriptor(path) != nil || FileSystem.isStream(path) {
      StandardStreams.report(text.printable)
    } else {
      StandardStreams.printText(text)
    }
  }

  /// The descriptor that is already open under a name such as `/dev/stdout`. It may be a file that others write too.
  private static func descriptor(_ path: String) -> CInt? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      guard let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix) else { return nil }
      return CInt(path.dropFirst(folder.count))
    }
  }

  /// `errno` says why not.
  private static func isOpenForWriting(_ descriptor: CInt) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE == O_RDONLY else { return flags >= 0 }
    errno = EBADF
    return false
  }

  /// The error whose reason is in `errno`.
  private static func failure(_ path: String) -> ApusError {
    ApusError(.file, "cannot be written: \(String(cString: strerror(errno)))", file: path)
  }
}
