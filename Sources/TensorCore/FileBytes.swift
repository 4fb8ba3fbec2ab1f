import CLibrary

/// Reading whole files, with a limit, and refusing what is not a regular file.
package enum FileBytes {
  /// The bytes of the regular file at `path`.
  /// - Parameter limit: the largest size accepted, in bytes.
  /// - Throws: ``ApusError`` of kind `file` when it is missing, unreadable, not a regular file or over the
  ///   limit.
  package static func read(_ path: String, limit: Int = .max) throws(ApusError) -> [UInt8] {
    try versioned(path, limit: limit).bytes
  }

  /// The same, and which file it was before its first byte was read.
  package static func versioned(
    _ path: String, limit: Int = .max
  ) throws(ApusError) -> (bytes: [UInt8], version: FileVersion) {
    let (descriptor, version) = try open(path, limit: limit)
    defer { close(descriptor) }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: version.byteCount) { buffer, count in
      failed = !read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), &count)
    }
    guard !failed else { throw unreadable(path) }
    return (bytes, version)
  }

  /// The first bytes of the regular file at `path`, as many as it has up to `count`; nil where it cannot be read.
  package static func beginning(of path: String, count wanted: Int) -> [UInt8]? {
    guard let opened = try? openRegular(path) else { return nil }
    defer { close(opened.number) }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      failed = !read(opened.number, into: UnsafeMutableRawBufferPointer(buffer), &count)
    }
    return failed ? nil : bytes
  }

  private static func open(
    _ path: String, limit: Int
  ) throws(ApusError) -> (descriptor: CInt, version: FileVersion) {
    let (descriptor, version) = try openRegular(path)
    guard version.byteCount <= limit else {
      close(descriptor)
      throw failure(path, "has \(version.byteCount) bytes, over the limit of \(limit)")
    }
    return (descriptor, version)
  }

  /// Reads until the buffer is full or the file ends.
  /// - Returns: false when the system cannot read on.
  private static func read(
    _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, _ count: inout Int
  ) -> Bool {
    while count < buffer.count {
      let got = CLibrary.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      if got < 0, errno == EINTR { continue }
      if got < 0 { return false }
      if got == 0 { break }
      count += got
    }
    return true
  }

  /// An open descriptor of the regular file at `path`, which the caller closes, and which file it is.
  /// - Throws: ``ApusError`` of kind `file` when it is missing, unreadable or not a regular file.
  static func openRegular(_ path: String) throws(ApusError) -> (number: CInt, version: FileVersion) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    let descriptor = path.inPlace { openat($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
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

  private static func unreadable(_ path: String) -> ApusError {
    failure(path, "cannot be read: \(String(cString: strerror(errno)))")
  }

  private static func failure(_ path: String, _ problem: String) -> ApusError {
    ApusError(.file, problem, file: path)
  }
}
