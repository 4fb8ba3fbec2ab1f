import Glibc
import Synchronization

/// The standard streams, of which a server writes to standard error.
enum FileDescriptors {
  /// To be called before anything is opened.
  /// - Parameter streams: what is looked after.
  static func prepare(_ streams: ClosedRange<Int32> = STDIN_FILENO...STDERR_FILENO) {
    // Whoever reads the log may go.
    signal(SIGPIPE, SIG_IGN)
    // A stream that was closed before would lend its number to the next file, or connection, and the log go there.
    for stream in streams where fcntl(stream, F_GETFD) < 0 {
      let null = open("/dev/null", O_RDWR)
      guard null >= 0, null != stream else { continue }
      dup2(null, stream)
      close(null)
    }
  }

  /// Lines of several threads stay whole, however long they are.
  private static let turn = Mutex(())

  /// Writes a line for people.
  static func say(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Waits until the log takes more, where it is set not to wait (`O_NONBLOCK`), as some programs leave a terminal.
  /// - Returns: whether that was why the last call failed.
  private static func waits() -> Bool {
    guard errno == EAGAIN else { return false }
    var state = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, -1) >= 0 || errno == EINTR
  }

  /// Writes bytes, or as many of them as somebody takes.
  static func write(_ bytes: [UInt8]) {
    turn.withLock { _ in
      bytes.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
          let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
          guard count >= 0 || errno == EINTR || waits() else { return }
          written += max(count, 0)
        }
      }
    }
  }
}
