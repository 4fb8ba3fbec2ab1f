import Synchronization

/// Tells everybody who listens. Who listens slowly misses the oldest.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  /// Elements that wait for one listener.
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  deinit { finish() }

  /// What is told from now on.
  /// - Parameter first: elements that it begins with.
  func stream(beginningWith first: [Element] = []) -> AsyncStream<Element> {
    let (stream, listener) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    for element in first { listener.yield(element) }
    let number = state.withLock { state in
      state.count += 1
      state.listeners[state.count] = listener
      return state.count
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  func tell(_ element: Element) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
  }

  /// Ends all streams.
  func finish() {
    // What ends a stream takes it from the listeners.
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}
