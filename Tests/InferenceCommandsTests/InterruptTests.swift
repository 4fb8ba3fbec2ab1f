import CommandSupport
import Dispatch
import Foundation
import Testing

/// Signals to stop, each in a process of its own.
@Suite struct InterruptTests {
  private static func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Begins as a program that nobody had ignore signals.
  private static func begin(_ stop: @escaping @Sendable () -> Void) -> Interrupt {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    let interrupt = Interrupt()
    interrupt.begin(stop)
    return interrupt
  }

  @Test func oneDescriptorTellsOfEverySignal() async {
    await #expect(processExitsWith: .success) {
      // What libdispatch has open for sources at all.
      var ends: [CInt] = [0, 0]
      guard pipe(&ends) == 0 else { exit(2) }
      let other = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
      let isRead = DispatchSemaphore(value: 0)
      other.setEventHandler {
        other.cancel()
        isRead.signal()
      }
      other.resume()
      guard write(ends[1], "a", 1) == 1, isRead.wait(timeout: .now() + 600) == .success else { exit(3) }
      let before = try Self.descriptors()
      let stopped = DispatchSemaphore(value: 0)
      let interrupt = Self.begin { stopped.signal() }
      guard try Self.descriptors() == before + 1 else { exit(4) }
      for number in [SIGINT, SIGTERM, SIGHUP] {
        kill(getpid(), number)
        guard stopped.wait(timeout: .now() + 600) == .success else { exit(5) }
        guard Interrupt.exitCode.rawValue == 128 + number else { exit(6) }
      }
      withExtendedLifetime(interrupt) { exit(0) }
    }
  }

  @Test func theSecondSignalEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let interrupt = Self.begin {}
      kill(getpid(), SIGTERM)
      for _ in 0..<600_000 {
        usleep(1000)
        kill(getpid(), SIGTERM)
      }
      withExtendedLifetime(interrupt) { exit(0) }
    }
  }

  /// As nohup has it of SIGHUP.
  @Test func whatIsIgnoredStaysSo() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let interrupt = Interrupt()
      interrupt.begin { exit(1) }
      kill(getpid(), SIGHUP)
      usleep(300_000)
      withExtendedLifetime(interrupt) { exit(0) }
    }
  }
}
