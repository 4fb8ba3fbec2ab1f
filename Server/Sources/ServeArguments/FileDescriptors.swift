import Glibc
import Synchronization

/// What is written to standard error.
enum FileDescriptors {
  /// Lines of several threads stay whole, however long they are.
  private static let turn = Mutex(())

  /// Writes a line for people.
  static func say(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes bytes, or as many of them as somebody takes.
  static func write(_ bytes: [UInt8]) {
    turn.withLock { _ in
      bytes.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
          let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
          guard count >= 0 || errno == EINTR else { return }
          written += max(count, 0)
        }
      }
    }
  }
}
