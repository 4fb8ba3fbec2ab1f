import Dispatch
import Glibc

/// The first interrupt from the keyboard ends the work in order; the second ends the process.
final class Interrupt {
  private let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())

  func begin(_ stop: @escaping @Sendable () -> Void) {
    signal(SIGINT, SIG_IGN)
    source.setEventHandler {
      stop()
      signal(SIGINT, SIG_DFL)
    }
    source.resume()
  }
}
