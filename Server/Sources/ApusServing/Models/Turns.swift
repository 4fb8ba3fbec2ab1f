import Synchronization

/// Has pieces of work done one after the other, in the order in which they were asked for.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    /// The oldest first.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// How many wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Does the work when all is done that was asked for before. Work may not ask for another turn.
  /// - Throws: what `work` throws. Whoever is cancelled while they wait still get their turn.
  func run<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await take()
    defer { give() }
    return try await work()
  }

  private func take() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFree = state.withLock { state -> Bool in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
