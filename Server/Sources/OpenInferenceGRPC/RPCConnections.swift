import NIOCore
import Synchronization

/// The connections that are open, so many at a time at most.
final class RPCConnections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// - Returns: whether it may stay.
  func add(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.open.count < limit else { return false }
      state.open[ObjectIdentifier(channel)] = channel
      return true
    }
  }

  func remove(_ channel: any Channel) {
    state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Closes all of them, whatever still waits to be read by their clients, and those that come later.
  func close() {
    let channels = state.withLock { state -> [any Channel] in
      state.isClosed = true
      return Array(state.open.values)
    }
    for channel in channels { channel.close(promise: nil) }
  }
}
