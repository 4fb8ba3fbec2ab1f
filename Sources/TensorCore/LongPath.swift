import CLibrary

/// Paths of any length. The system takes `PATH_MAX` bytes at once, and folders lie deeper: a longer path is gone along part
/// by part.
extension [UInt8] {
  /// Calls `body` with the path as `openat` and its kind take it: an open folder, and the rest of the path from there.
  /// - Parameter folder: where a relative path begins.
  /// - Returns: the result of `body`; -1 when a folder on the way cannot be opened. `errno` says why a call failed.
  package func inPlace(from folder: CInt = AT_FDCWD, _ body: (CInt, UnsafePointer<CChar>) -> CInt) -> CInt {
    let longest = Int(PATH_MAX) - 1
    guard count > longest else { return withFileName { body(folder, $0) } }
    var (start, rest) = (folder, self[...])
    defer {
      let reason = errno
      if start != folder { close(start) }
      errno = reason
    }
    while rest.count > longest {
      guard let slash = rest.prefix(longest).lastIndex(of: UInt8(ascii: "/")) else {
        errno = ENAMETOOLONG
        return -1
      }
      let next = Array(rest[...slash]).withFileName {
        openat(start, $0, Self.passing | O_DIRECTORY | O_CLOEXEC)
      }
      guard next >= 0 else { return -1 }
      if start != folder { close(start) }
      start = next
      rest = rest[(slash + 1)...].drop { $0 == UInt8(ascii: "/") }
    }
    return (rest.isEmpty ? Array(".".utf8) : Array(rest)).withFileName { body(start, $0) }
  }

  /// `O_PATH`, whose macro is not imported: a folder may be passed through that cannot be read.
  private static let passing: CInt = 0o10_000_000

  /// Calls `body` with the bytes as the name of a file, for the system.
  package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
      for (index, byte) in enumerated() { buffer.initializeElement(at: index, to: CChar(bitPattern: byte)) }
      buffer.initializeElement(at: count, to: 0)
      return body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
  }
}

extension String {
  /// The same for the bytes that the text stands for.
  package func inPlace(_ body: (CInt, UnsafePointer<CChar>) -> CInt) -> CInt {
    FileName.bytes(self).inPlace(body)
  }
}
