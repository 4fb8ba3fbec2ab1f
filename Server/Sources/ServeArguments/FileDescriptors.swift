import ApusServer
import CLibrary
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

  /// Writes a line for people.
  static func say(_ line: String) { LogWriter.standardError.write(Array((line + "\n").utf8)) }

  /// What libraries write to standard error, where the log is for programs.
  private static let foreignLines = Mutex<ForeignLines?>(nil)

  /// Has all that is written to standard error be records of JSON.
  static func writeJSONAlone() {
    foreignLines.withLock { lines in
      lines = ForeignLines(STDERR_FILENO, .standardError) { line in
        LogWriter.standardError.write(JSONLogHandler.lineOfLibrary(line))
      }
    }
  }

  /// Says why the process ends.
  static func sayEnd(_ reason: String) {
    let isJSON = foreignLines.withLock { $0 != nil }
    guard isJSON else { return say("apus: \(reason)") }
    LogWriter.standardError.write(JSONLogHandler.lineOfEnd(reason))
  }

  /// Waits until all that was said is written, or for a time.
  static func finish() {
    foreignLines.withLock { lines in
      lines?.finish()
      lines = nil
    }
    LogWriter.standardError.finish()
  }
}
