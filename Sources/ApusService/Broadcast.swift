import TensorCore

/// Tells everybody who listens. Who listens slowly misses the oldest.
final class Broadcast<Element: Sendable>: Sendable {
  private typealias Listener = AsyncStream<Element>.Continuation

  /// An element on its way, with those who listened when it got its place.
  private struct Entry {
    let number: Int
    /// Nil until it is known.
    var element: Element?
    let listeners: [Listener]
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var count = 0
    /// In the order in which they are told.
    var waiting: [Entry] = []

    mutating func enter(_ element: Element?) -> Int {
      count += 1
      waiting.append(Entry(number: count, element: element, listeners: Array(listeners.values)))
      return count
    }
  }

  /// The place of an element among the others. Each is filled: those behind it wait for that.
  struct Place: Sendable {
    fileprivate let number: Int
  }

  private let state = Lock(State())
  /// Held by who tells, so that all hear in the same order.
  private let telling = Lock(())
  /// Elements that wait for one listener.
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  deinit { finish() }

  /// A stream of future elements.
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

  /// Gives an element its place, behind all that have one. ``deliver()`` tells it.
  ///
  /// Elements may be entered while a lock is held, which keeps their order, but not delivered.
  func enter(_ element: Element) { _ = state.withLock { $0.enter(element) } }

  /// Keeps a place for an element that is not known yet.
  func reserve() -> Place { Place(number: state.withLock { $0.enter(nil) }) }

  /// Gives a reserved place its element, and tells it.
  func tell(_ element: Element, at place: Place) {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == place.number }) else { return }
      state.waiting[index].element = element
    }
    deliver()
  }

  /// Tells an element behind all that have a place.
  func tell(_ element: Element) {
    enter(element)
    deliver()
  }

  /// Delivers all entered elements up to the first unknown one. Cancelling a listener takes the same lock as delivering, so
  /// this must not be called with a lock that a cancellation needs.
  func deliver() {
    telling.withLock { _ in
      while let entry = takeNext(), let element = entry.element {
        for listener in entry.listeners { listener.yield(element) }
      }
    }
  }

  private func takeNext() -> Entry? {
    state.withLock { $0.waiting.first?.element == nil ? nil : $0.waiting.removeFirst() }
  }

  /// Ends all streams.
  func finish() {
    // What ends a stream takes it from the listeners.
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}
