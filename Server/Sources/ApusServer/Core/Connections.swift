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

  /// Stops the work for all of them, and for what still comes on them.
  func stopWork() {
    for connection in known.withLock({ Array($0.values) }) { connection.leave() }
  }

  /// Ends those on which the body of a request has been coming for longer than that: whoever reads it gets a ``SlowBody`` to
  /// answer with, once the requests before it are answered. What is still there after that answer, or after `patience`, is
  /// closed.
  func closeSlow(_ time: TimeAmount, patience: TimeAmount, at now: NIODeadline = .now()) {
    for connection in known.withLock({ Array($0.values) }) where connection.isReading(since: now - time) {
      connection.endSlow(patience, at: now)
    }
  }
}

/// The body of a request did not come in the time that it may take.
struct SlowBody: Error {}

/// A connection: since when the body of a request is coming, and what is to be stopped when the client goes.
final class Connection: Sendable {
  private struct State {
    var reading: NIODeadline?
    /// Since when the reader of the body has its error.
    var slow: NIODeadline?
    var isAnswered = false
    var whenGone: (@Sendable () -> Void)?
    var isGone = false
  }

  let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  func beginReading() { state.withLock { ($0.reading, $0.slow) = (NIODeadline.now(), nil) } }

  func endReading() { state.withLock { $0.reading = nil } }

  func isReading(since limit: NIODeadline) -> Bool {
    state.withLock { $0.reading.map { $0 < limit } ?? false }
  }

  /// No more answers come.
  func endAnswers() { state.withLock { $0.isAnswered = true } }

  /// Fails the reading of a body, or closes the connection where it was found slow so long ago. Where the last answer is
  /// written, nobody reads any more: ``LingeringCloseHandler`` closes it sooner, unless its client does not take the answer.
  func endSlow(_ patience: TimeAmount, at now: NIODeadline) {
    let (since, isAnswered) = state.withLock { state -> (NIODeadline?, Bool) in
      let since = state.slow
      if since == nil { state.slow = now }
      return (since, state.isAnswered)
    }
    guard let since else {
      if !isAnswered { channel.pipeline.fireErrorCaught(SlowBody()) }
      return
    }
    if since <= now - patience { channel.close(promise: nil) }
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
