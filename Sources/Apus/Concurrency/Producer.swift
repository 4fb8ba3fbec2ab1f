/// A task that emits elements, at most a fixed number ahead of its consumer. It is cancelled when it is released, or when
/// the consuming task is cancelled.
struct Producer<Event: Sendable> {
  private var events: AsyncStream<Event>.Iterator
  private let places: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>
  /// Tells what others have to say to the same listener.
  let announced: AsyncStream<Event>.Continuation

  /// - Parameter produce: takes elements for places, and announces events; its return is the end.
  init(
    places count: Int,
    _ produce: @escaping @Sendable (Places, AsyncStream<Event>.Continuation) async -> Void
  ) {
    let (events, announced) = AsyncStream.makeStream(of: Event.self)
    let (free, places) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<count { places.yield() }
    let task = Task {
      await produce(Places(free: free), announced)
      announced.finish()
    }
    // Called when the consumer is gone, too: the working task holds the continuation and not the stream.
    announced.onTermination = { _ in task.cancel() }
    self.events = events.makeAsyncIterator()
    (self.places, self.task, self.announced) = (places, task, announced)
  }

  /// The next event; nil after the last, or when the calling task is cancelled.
  mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
    guard !Task.isCancelled else {
      task.cancel()
      return nil
    }
    return await events.next(isolation: actor)
  }

  /// Frees the place of an event.
  func free() { places.yield() }

  /// The free places that a producer waits for.
  struct Places: Sendable {
    fileprivate let free: AsyncStream<Void>

    /// Waits for a place, and takes an element for it; nil after the last, or when the work is cancelled.
    func next<Elements: AsyncIteratorProtocol>(
      of elements: inout Elements
    ) async throws(Elements.Failure) -> Elements.Element? {
      var places = free.makeAsyncIterator()
      _ = await places.next()
      // A sequence learns of cancellation when it is asked for its next element.
      let element = try await elements.next(isolation: nil)
      return Task.isCancelled ? nil : element
    }
  }
}
