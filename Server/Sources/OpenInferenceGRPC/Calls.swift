import Synchronization

/// The calls in work, and whether the server is about to stop. gRPC cancels calls then as it does when their clients are
/// gone, and only this tells which of both it is.
final class Calls: Sendable {
  private struct State {
    var known: [ObjectIdentifier: Call] = [:]
    var isDraining = false
    var isCut = false
  }

  private let state = Mutex(State())

  /// Whether no more calls are taken.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  func add(_ call: Call) {
    let isCut = state.withLock { state -> Bool in
      state.known[ObjectIdentifier(call)] = call
      return state.isCut
    }
    if isCut { call.end(.stopping) }
  }

  func remove(_ call: Call) {
    state.withLock { _ = $0.known.removeValue(forKey: ObjectIdentifier(call)) }
  }

  /// What is in work goes on.
  func drain() { state.withLock { $0.isDraining = true } }

  /// What is in work ends with the status that the server is stopping.
  func cut() {
    let calls = state.withLock { state -> [Call] in
      (state.isDraining, state.isCut) = (true, true)
      return Array(state.known.values)
    }
    for call in calls { call.end(.stopping) }
  }
}
