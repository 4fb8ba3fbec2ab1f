import Glibc

/// Reading whole files, with a limit, and refusing what is not a regular file.
package enum FileBytes {
  /// The bytes of the regular file at `path`.
  /// - Parameter limit: the largest size accepted, in bytes.
  /// - Throws: ``ApusError`` of kind `file` when it is missing, unreadable, not a regular file or over the
  ///   limit.
  package static func read(_ path: String, limit: Int = .max) throws(ApusError) -> [UInt8] {
    let (descriptor, version) = try openRegular(path)
    defer { close(descriptor) }
    let size = version.byteCount
    guard size <= limit else { throw failure(path, "has \(size) bytes, over the limit of \(limit)") }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { break }
        count += got
      }
    }
    guard !failed else { throw failure(path, "cannot be read: \(String(cString: strerror(errno)))") }
    return bytes
  }

  /// An open descriptor of the regular file at `path`, which the caller closes, and which file it is.
  /// - Throws: ``ApusError`` of kind `file` when it is missing, unreadable or not a regular file.
  static func openRegular(_ path: String) throws(ApusError) -> (number: CInt, version: FileVersion) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    let descriptor = path.withFileName { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      throw failure(path, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw failure(path, "cannot be examined: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw failure(path, status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is not a regular file")
    }
    return (descriptor, FileVersion(status))
  }

  private static func failure(_ path: String, _ problem: String) -> ApusError {
    ApusError(.file, problem, file: path)
  }
}
