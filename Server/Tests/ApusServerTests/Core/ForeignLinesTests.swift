import CLibrary
import Dispatch
import FoundationEssentials
import ServingTestSupport
import Synchronization
import Testing

@testable import ApusServer

/// What libraries write to a stream themselves becomes records of the log.
@Suite struct ForeignLinesTests {
  private func put(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// What comes of work that waits, on a thread of its own: other tests need those of tasks.
  private func waiting<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "waiting").async { continuation.resume(returning: work()) }
    }
  }

  /// What is told of parts that are written to a file which is a log too, and what that has at the end.
  private func told(_ parts: [String]) async -> (lines: [String], log: String) {
    await waiting {
      let path = FileManager.default.temporaryDirectory.appending(
        path: "log-\(UInt64.random(in: 0 ... .max))"
      ).path()
      let stream = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer {
        close(stream)
        unlink(path)
      }
      let writer = LogWriter(stream), told = Mutex<[String]>([])
      let lines = ForeignLines(stream, writer) { line in told.withLock { $0.append(line) } }
      writer.write(Array("{\"a\":1}\n".utf8))
      for part in parts { put(part, to: stream) }
      lines?.finish(within: .patience)
      writer.finish(within: .patience)
      // The stream leads where it did.
      put("back\n", to: stream)
      return (told.withLock(\.self), (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }
  }

  @Test func linesAreToldWholeAndTheLogGoesOn() async {
    let (lines, log) = await told(["[avif] no\n\n   \nhalf ", "a line\nthe last, without an end"])
    #expect(lines == ["[avif] no", "half a line", "the last, without an end"])
    #expect(log == "{\"a\":1}\nback\n")
  }

  @Test func longLinesBecomeSeveral() async {
    let (lines, _) = await told([String(repeating: "x", count: 10_000) + "\n"])
    #expect(lines.map(\.utf8.count) == [4096, 4096, 1808])
  }

  /// A library that writes more than a pipe holds is not held up by a log that is not read.
  @Test func aLogThatStallsHoldsUpNoLibrary() async throws {
    // As in the program: what is written after the reader is gone is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    let (time, dropped) = await waiting {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { return (Duration.zero, 0) }
      let writer = LogWriter(ends[1])
      let lines = ForeignLines(ends[1], writer) { line in writer.write(Array("\(line)\n".utf8)) }
      let line = String(repeating: "x", count: 99) + "\n"
      let begin = ContinuousClock.now
      for _ in 0..<40_000 { put(line, to: ends[1]) }
      let time = ContinuousClock.now - begin
      lines?.finish(within: .patience)
      for end in ends { close(end) }
      return (time, writer.droppedCount)
    }
    #expect(time < .patience && dropped > 10_000)
  }

  /// What says why the process ends is not lost with it.
  @Test func whatIsWrittenBeforeAFaultIsThere() async throws {
    let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      // The first line keeps the reader from the second.
      let lines = ForeignLines(STDERR_FILENO, LogWriter(STDERR_FILENO)) { _ in sleep(10) }
      withExtendedLifetime(lines) {
        for line in ["one\n", "why it ends\n"] {
          let bytes = Array(line.utf8)
          _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
          usleep(200_000)
        }
        abort()
      }
    }
    let content = try #require(result).standardErrorContent
    #expect(String(decoding: content, as: UTF8.self).contains("why it ends\n"))
  }
}
