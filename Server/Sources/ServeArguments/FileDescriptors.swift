import ApusServer
import Glibc

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

  /// Writes a line for people.
  static func say(_ line: String) { LogWriter.standardError.write(Array((line + "\n").utf8)) }
}
