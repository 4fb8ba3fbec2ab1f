import TensorCore

/// Where alerts of all models come together, and go to those who listen.
final class AlertCenter: Sendable {
  private struct State {
    /// By model.
    var active: [ExactText: PerformanceAlert] = [:]
    /// The newest last.
    var recent: [PerformanceAlert] = []

    var activeByName: [PerformanceAlert] { active.values.sorted { $0.model < $1.model } }
  }

  private let state = Lock(State())
  private let broadcast = Broadcast<PerformanceAlert>(capacity: capacity)
  /// The most alerts in a snapshot, and the most that wait for a slow listener.
  private static let capacity = 100

  func publish(_ alert: PerformanceAlert) {
    // It gets its place under the lock, so that a new listener hears of it once.
    state.withLock { state in
      state.active[ExactText(alert.model)] = alert.isResolved ? nil : alert
      if state.recent.count == Self.capacity { state.recent.removeFirst() }
      state.recent.append(alert)
      broadcast.enter(alert)
    }
    broadcast.deliver()
  }

  /// Active alerts, and the most recent past ones.
  var alerts: (active: [PerformanceAlert], recent: [PerformanceAlert]) {
    state.withLock { ($0.activeByName, $0.recent) }
  }

  /// The active alerts, then every new one.
  func stream() -> AsyncStream<PerformanceAlert> {
    state.withLock { broadcast.stream(beginningWith: $0.activeByName) }
  }

  /// Ends all streams.
  func finish() { broadcast.finish() }
}
