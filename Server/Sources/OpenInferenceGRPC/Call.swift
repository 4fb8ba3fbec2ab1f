import GRPCCore
import Synchronization

/// A call in work: what stops it before it has its answer, and the status that it ends with.
final class Call: Sendable {
  /// Why a call is stopped.
  enum Ending: Sendable { case clientGone, deadline, slowMessage, stopping }

  private struct State {
    var ending: Ending?
    var deadline: ContinuousClock.Instant?
    var timer: Task<Void, any Error>?
    /// Runs while the message is awaited.
    var messageTimer: Task<Void, any Error>?
    /// What stops the work for it.
    var stops: [Int: @Sendable () -> Void] = [:]
    var lastStop = 0
    var outcome: RPCOutcome?
    /// Writes the status.
    var lastWords: Task<Void, any Error>?
    var isAbandoned = false
  }

  /// The call that a task works for.
  @TaskLocal static var current: Call?

  private let state = Mutex(State())

  /// What became of it: of one without a status, that the client is gone.
  var outcome: RPCOutcome { state.withLock { $0.outcome } ?? RPCOutcome(Ending.clientGone.status, [:]) }

  /// Why it was stopped; nil while it was not.
  var ending: Ending? { state.withLock { $0.ending } }

  /// Stops the work; the first reason counts.
  func end(_ ending: Ending) {
    let stops = state.withLock { state -> [@Sendable () -> Void] in
      guard state.ending == nil else { return [] }
      // A client whose time is over leaves too, and that may be known first.
      let isOver = state.deadline.map { $0 <= ContinuousClock.now } ?? false
      state.ending = isOver ? .deadline : ending
      defer { state.stops = [:] }
      return Array(state.stops.values)
    }
    for stop in stops { stop() }
  }

  /// Stops the work when the client's time is over.
  func end(after time: Duration) {
    let deadline = ContinuousClock.now + time
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      self.end(.deadline)
    }
    state.withLock { ($0.deadline, $0.timer) = (deadline, timer) }
  }

  /// Stops the work unless its message comes within a time.
  func awaitMessage(for time: Duration) {
    let timer = Task {
      try await Task.sleep(for: time)
      self.end(.slowMessage)
    }
    state.withLock { $0.messageTimer = timer }
  }

  /// The message is there.
  func messageCame() { state.withLock { $0.messageTimer }?.cancel() }

  /// Does what is stopped when the call is, and by nothing else.
  func doing<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task(operation: body)
    let stop = state.withLock { state -> Int? in
      guard state.ending == nil else { return nil }
      state.lastStop += 1
      state.stops[state.lastStop] = { work.cancel() }
      return state.lastStop
    }
    guard let stop else {
      work.cancel()
      return try await work.value
    }
    defer { state.withLock { _ = $0.stops.removeValue(forKey: stop) } }
    return try await work.value
  }

  /// Does so for the task's call, if it has one.
  static func work<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let current else { return try await body() }
    return try await current.doing(body)
  }

  /// Writes the status, whatever stopped the call: that says why, where it was stopped before it had an answer.
  func finish(
    _ status: Status, _ metadata: Metadata, write: @escaping @Sendable (Status) async throws -> Void
  ) async throws {
    let last = state.withLock { state -> Status in
      let last = status.code == .ok ? status : state.ending?.status ?? status
      state.outcome = RPCOutcome(last, metadata)
      return last
    }
    let writing = Task { try await write(last) }
    let isAbandoned = state.withLock { state -> Bool in
      state.lastWords = writing
      return state.isAbandoned
    }
    if isAbandoned { writing.cancel() }
    try await writing.value
  }

  /// Stops it, and the writing of its status too.
  func abandon() {
    end(.stopping)
    let writing = state.withLock { state -> Task<Void, any Error>? in
      state.isAbandoned = true
      return state.lastWords
    }
    writing?.cancel()
  }

  /// Forgets what would stop it.
  func close() {
    let timers = state.withLock { [$0.timer, $0.messageTimer] }
    for timer in timers { timer?.cancel() }
  }
}

extension Call.Ending {
  fileprivate var status: Status {
    switch self {
    case .clientGone: Status(code: .cancelled, message: "The client is gone.")
    case .deadline: Status(code: .deadlineExceeded, message: "The time that the client gave is over.")
    case .slowMessage:
      Status(code: .deadlineExceeded, message: "The message did not come in the time that it may take.")
    case .stopping: Status(code: .unavailable, message: "The server is stopping.")
    }
  }
}
