import Synchronization

/// Holds up what passes until the test opens it.
final class Gate: Sendable {
  private struct State {
    var passing = 0
    var isOpen = false
  }

  private let state = Mutex(State())

  /// How many have come.
  var count: Int { state.withLock { $0.passing } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Waits until it is open.
  func pass() async {
    state.withLock { $0.passing += 1 }
    while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits until so many have come.
  func wait(for count: Int) async {
    while self.count < count { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
