import Synchronization

/// Where alerts of all models come together, and go to those who listen.
final class AlertCenter: Sendable {
  private struct State {
    /// By model.
    var active: [String: PerformanceAlert] = [:]
    /// The newest last.
    var recent: [PerformanceAlert] = []
    var listeners: [Int: AsyncStream<PerformanceAlert>.Continuation] = [:]
    var listenerCount = 0
  }

  private let state = Mutex(State())
  /// Those that a snapshot tells of, and that wait for a slow listener.
  private static let capacity = 100

  func publish(_ alert: PerformanceAlert) {
    state.withLock { state in
      state.active[alert.model] = alert.isResolved ? nil : alert
      if state.recent.count == Self.capacity { state.recent.removeFirst() }
      state.recent.append(alert)
      for listener in state.listeners.values { listener.yield(alert) }
    }
  }

  /// Those that are active, and the last there were.
  var alerts: (active: [PerformanceAlert], recent: [PerformanceAlert]) {
    state.withLock { ($0.active.values.sorted { $0.model < $1.model }, $0.recent) }
  }

  /// What is active, and all that comes.
  func stream() -> AsyncStream<PerformanceAlert> {
    let (stream, listener) = AsyncStream.makeStream(
      of: PerformanceAlert.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    let number = state.withLock { state in
      state.listenerCount += 1
      state.listeners[state.listenerCount] = listener
      for alert in state.active.values.sorted(by: { $0.model < $1.model }) { listener.yield(alert) }
      return state.listenerCount
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends all streams.
  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }
}
