import ArgumentParser
import Dispatch
import Glibc
import Synchronization
import TensorCore

/// The first signal to stop, from the keyboard, the system or a terminal that closes, ends the work in order; the second
/// ends the process.
final class Interrupt {
  /// The signal that came; 0 before one does.
  private static let received = Atomic<CInt>(0)
  private let sources: [any DispatchSourceSignal]

  /// What a shell gets for a process that the signal ended.
  static var exitCode: ExitCode { ExitCode(128 + received.load(ordering: .relaxed)) }

  init() {
    sources = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }.map {
      DispatchSource.makeSignalSource(signal: $0, queue: .global())
    }
  }

  func begin(_ stop: @escaping @Sendable () -> Void) {
    for source in sources {
      let number = CInt(truncatingIfNeeded: source.handle)
      signal(number, SIG_IGN)
      source.setEventHandler {
        Self.received.store(number, ordering: .relaxed)
        stop()
        signal(number, SIG_DFL)
      }
      source.resume()
    }
  }

  /// Whether the program was started so that a signal does not end it, as by nohup.
  private static func isIgnored(_ number: CInt) -> Bool {
    let lines = KernelFile.text("/proc/self/status")?.split(separator: "\n") ?? []
    let mask = lines.first { $0.hasPrefix("SigIgn:") }?.split(whereSeparator: \.isWhitespace).last
    return mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(number - 1) & 1 == 1 } ?? false
  }
}
