import CLibrary
import CStreams
import Dispatch

/// What libraries within the process write to a stream themselves, made into records of the log: standard error leads into
/// a pipe, which a thread reads whatever becomes of the log.
public final class ForeignLines: Sendable {
  /// Bytes of a line at most; what is longer becomes several.
  static let lineBytes = 4 << 10

  private let stream: Int32
  private let reading: Int32
  private let log: Int32
  private let tell: @Sendable (String) -> Void
  private let isDone = DispatchSemaphore(value: 0)

  /// Takes a stream for the pipe; the log goes on where the stream led before.
  /// - Parameters:
  ///   - stream: the descriptor of the stream.
  ///   - writer: what has written to the stream, and is moved to where it led.
  ///   - tell: called with each line.
  /// - Returns: nil where the system has no file for it: all is as it was then.
  public init?(_ stream: Int32, _ writer: LogWriter, tell: @escaping @Sendable (String) -> Void) {
    var ends: [Int32] = [-1, -1]
    let log = fcntl(stream, F_DUPFD_CLOEXEC, 3)
    guard log >= 0, pipe(&ends) == 0 else {
      close(log)
      return nil
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The handler of faults does not wait.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (self.stream, reading, self.log, self.tell) = (stream, ends[0], log, tell)
    writer.move(to: log)
    dup2(ends[1], stream)
    close(ends[1])
    apus_copy_on_fault(reading, log)
    // A thread of its own: those of others may be the ones that write.
    DispatchQueue(label: "apus.foreign-lines").async { self.read() }
  }

  /// Gives the stream back, and waits until what was written to it is told of, or for a time.
  public func finish(within time: Duration = .seconds(1)) {
    dup2(log, stream)
    _ = isDone.wait(timeout: .now() + time / .seconds(1))
  }

  private func read() {
    var line: [UInt8] = [], buffer = [UInt8](repeating: 0, count: Self.lineBytes)
    while let count = next(&buffer) {
      for byte in buffer[..<count] {
        if byte != UInt8(ascii: "\n") { line.append(byte) }
        if byte == UInt8(ascii: "\n") || line.count == Self.lineBytes { end(&line) }
      }
    }
    end(&line)
    isDone.signal()
  }

  /// The next bytes, which are waited for; nil where no more come.
  private func next(_ buffer: inout [UInt8]) -> Int? {
    while true {
      let count = CLibrary.read(reading, &buffer, buffer.count)
      if count > 0 { return count }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return nil }
      var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, -1) >= 0 || errno == EINTR else { return nil }
    }
  }

  private func end(_ line: inout [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(where: { !$0.isWhitespace }) { tell(text) }
    line.removeAll(keepingCapacity: true)
  }
}
