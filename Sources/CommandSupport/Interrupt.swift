import ArgumentParser
import CLibrary
import CProcess
import Dispatch
import TensorCore

/// The first signal to stop, from the keyboard, the system or a terminal that closes, ends the work in order; the second
/// ends the process. One descriptor serves all signals, of which libdispatch's own sources take one each.
package final class Interrupt {
  private let signals: [CInt]
  /// Nil where no descriptor can be had: then signals end the process.
  private let source: (any DispatchSourceRead)?

  /// The exit code that a shell reports for a process ended by the signal.
  package static var exitCode: ExitCode { ExitCode(128 + apus_last_signal()) }

  /// One in a process.
  package init() {
    signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
    let descriptor = apus_open_signal_bell()
    source =
      descriptor < 0
      ? nil : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
  }

  package func begin(_ stop: @escaping @Sendable () -> Void) {
    guard let source else { return }
    let descriptor = CInt(truncatingIfNeeded: source.handle)
    source.setEventHandler {
      var count: UInt64 = 0
      _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
      stop()
      signal(apus_last_signal(), SIG_DFL)
    }
    source.resume()
    for number in signals { _ = apus_ring_on_signal(number) }
  }

  /// Whether the program was started so that a signal does not end it, as by nohup.
  private static func isIgnored(_ number: CInt) -> Bool {
    let lines = KernelFile.text("/proc/self/status")?.split(separator: "\n") ?? []
    let mask = lines.first { $0.hasPrefix("SigIgn:") }?.split(whereSeparator: \.isWhitespace).last
    return mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(number - 1) & 1 == 1 } ?? false
  }
}
