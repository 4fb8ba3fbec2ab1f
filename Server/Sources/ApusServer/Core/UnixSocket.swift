import CLibrary

/// Sockets of the file system, before a server listens on one.
enum UnixSocket {
  /// Bytes of a path, at most: SwiftNIO takes as many as every system does.
  private static let maximumLength = 103

  /// Why no server can listen at a path, as far as it can be told before; nil for nothing. What a server left that is gone
  /// is replaced.
  static func hindrance(at path: String) -> String? {
    guard path.utf8.count <= maximumLength else { return "the path is longer than \(maximumLength) bytes" }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFSOCK else { return "a file that is not a socket exists" }
    return switch connectionError(path) {
    case ECONNREFUSED, ENOENT: nil
    // Of those who listen, one that is overrun takes no more.
    case 0, EAGAIN: String(cString: strerror(EADDRINUSE))
    case let error: String(cString: strerror(error))
    }
  }

  /// Has files, a socket among them, get no more rights than a mode from now on.
  /// - Returns: the mask of before, for ``loosen(_:_:_:)``; nil without a mode.
  static func tighten(_ mode: UInt16?) -> mode_t? {
    guard let mode else { return nil }
    // Other threads may make files between the two: these are their owner's alone.
    let before = umask(0o077 | (0o777 & ~mode_t(mode)))
    _ = umask(before | (0o777 & ~mode_t(mode)))
    return before
  }

  /// Brings the mask of before back, and gives a socket the rights that it shall have.
  static func loosen(_ mask: mode_t?, _ address: ServerOptions.Address, _ mode: UInt16?) {
    if let mask { _ = umask(mask) }
    if case .unixSocket(let path) = address, let mode { _ = chmod(path, mode_t(mode)) }
  }

  /// What becomes of a connection to a path: 0 or an error of the system.
  private static func connectionError(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return connect(descriptor, path) == 0 ? 0 : errno
  }

  /// - Returns: 0, or -1 with `errno`.
  static func connect(_ descriptor: Int32, _ path: String) -> Int32 {
    withAddress(path) { CLibrary.connect(descriptor, $0, $1) }
  }

  /// Calls with the address that stands for a path, and its size.
  static func withAddress(
    _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The zeros behind it stay.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(maximumLength)) }
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
