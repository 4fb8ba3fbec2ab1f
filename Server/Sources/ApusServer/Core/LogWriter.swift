import CLibrary
import Dispatch
import Synchronization

/// Writes lines to a stream on a thread of its own, so that work never waits for the reader of the log: a pipe that is not
/// read any more would stop the whole server. Lines beyond what there is room for are dropped, counted, and told of when
/// the stream takes lines again.
public final class LogWriter: Sendable {
  /// That of standard error.
  public static let standardError = LogWriter(STDERR_FILENO)

  private struct State {
    var waiting: [[UInt8]] = []
    var byteCount = 0
    var isAtWork = false
    /// Those that nothing was said of yet.
    var dropped = 0
    var droppedInAll = 0
    var descriptor: Int32
    var telling: @Sendable (Int) -> [UInt8] = { Array("apus: \($0) lines of the log were dropped\n".utf8) }
  }

  /// Bytes of lines that wait.
  static let capacity = 1 << 20

  private let queue = DispatchQueue(label: "apus.log")
  private let state: Mutex<State>

  init(_ descriptor: Int32) { state = Mutex(State(descriptor: descriptor)) }

  /// How many lines were dropped.
  public var droppedCount: Int { state.withLock { $0.droppedInAll } }

  /// Has dropped lines told of in the log's own form.
  /// - Parameter line: the line for a number of them.
  public func tellDropped(_ line: @escaping @Sendable (Int) -> [UInt8]) {
    state.withLock { $0.telling = line }
  }

  /// Has lines from now on, also those that wait, go to another stream.
  func move(to descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

  /// Writes a line in its turn.
  public func write(_ line: [UInt8]) {
    let begins = state.withLock { state in
      guard state.byteCount + line.count <= Self.capacity else {
        state.dropped += 1
        state.droppedInAll += 1
        return false
      }
      state.waiting.append(line)
      state.byteCount += line.count
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    if begins { queue.async { self.work() } }
  }

  /// Waits until all lines are written, or for a time: a process that ends takes those with it that wait.
  public func finish(within time: Duration = .seconds(1)) {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    _ = isDone.wait(timeout: .now() + time / .seconds(1))
  }

  private func work() {
    while let (lines, descriptor) = take() {
      for line in lines { put(line, to: descriptor) }
    }
  }

  private func take() -> ([[UInt8]], Int32)? {
    state.withLock { state -> ([[UInt8]], Int32)? in
      var lines = state.waiting
      if state.dropped > 0 { lines.append(state.telling(state.dropped)) }
      (state.waiting, state.byteCount, state.dropped) = ([], 0, 0)
      state.isAtWork = !lines.isEmpty
      return lines.isEmpty ? nil : (lines, state.descriptor)
    }
  }

  /// Writes bytes, or as many of them as are taken.
  private func put(_ line: [UInt8], to descriptor: Int32) {
    line.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = CLibrary.write(descriptor, rest.baseAddress, rest.count)
        guard count >= 0 || errno == EINTR || waits(descriptor) else { return }
        written += max(count, 0)
      }
    }
  }

  /// Waits until the stream takes more, where it is set not to wait (`O_NONBLOCK`), as some programs leave a terminal.
  /// - Returns: whether that was why the last call failed.
  private func waits(_ descriptor: Int32) -> Bool {
    guard errno == EAGAIN else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, -1) >= 0 || errno == EINTR
  }
}

extension LogWriter {
  /// What loggers of text write to.
  public struct Stream: TextOutputStream, Sendable {
    private let writer: LogWriter

    /// A stream to a writer.
    public init(_ writer: LogWriter) { self.writer = writer }

    /// Writes a line, which is given whole.
    public mutating func write(_ string: String) { writer.write(Array(string.utf8)) }
  }
}
