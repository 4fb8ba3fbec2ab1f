import NIOCore
import Synchronization

/// The connections that are open, by their channels.
final class Connections: Sendable {
  private let known = Mutex<[ObjectIdentifier: Connection]>([:])

  /// How many there are.
  var count: Int { known.withLock { $0.count } }

  subscript(channel: any Channel) -> Connection? {
    known.withLock { $0[ObjectIdentifier(channel)] }
  }

  func add(_ connection: Connection) {
    known.withLock { $0[ObjectIdentifier(connection.channel)] = connection }
  }

  func remove(_ connection: Connection) {
    known.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection.channel)) }
  }

  /// Closes those on which the body of a request has been coming for longer than that.
  func closeSlow(_ time: TimeAmount) {
    let limit = NIODeadline.now() - time
    for connection in known.withLock({ Array($0.values) }) where connection.isReading(since: limit) {
      connection.channel.close(promise: nil)
    }
  }
}

/// A connection: since when the body of a request is coming, and what is to be stopped when the client goes.
final class Connection: Sendable {
  private struct State {
    var reading: NIODeadline?
    var whenGone: (@Sendable () -> Void)?
    var isGone = false
  }

  let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  func beginReading() { state.withLock { $0.reading = .now() } }

  func endReading() { state.withLock { $0.reading = nil } }

  func isReading(since limit: NIODeadline) -> Bool {
    state.withLock { $0.reading.map { $0 < limit } ?? false }
  }

  /// What is called when the client goes, at once when it is gone; nil for nothing any more.
  func whenGone(_ action: (@Sendable () -> Void)?) {
    let isGone = state.withLock { state in
      state.whenGone = action
      return state.isGone
    }
    if isGone { action?() }
  }

  /// The client is gone, or will send no more: one that only wants to listen is not told from one that has left.
  func leave() {
    let action = state.withLock { state in
      state.isGone = true
      return state.whenGone
    }
    action?()
  }
}
