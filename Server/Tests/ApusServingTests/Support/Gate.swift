import Synchronization

/// A gate that work waits at until the test opens it.
final class Gate: Sendable {
  private struct State {
    var count = 0
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// How many have come.
  var count: Int { state.withLock { $0.count } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until it is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.count += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until so many have come.
  func wait(for count: Int) async {
    while self.count < count { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
