extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Maps each element, several at a time, with results in the order of the elements.
  ///
  /// The results may be mapped again, so that stages of different widths work one behind the other:
  ///
  ///     let names = AsyncStream { continuation in
  ///       for name in ["a.jpg", "b.png", "c.webp"] { continuation.yield(name) }
  ///       continuation.finish()
  ///     }
  ///     let images = names.orderedMap(width: 4) { name in
  ///       await WorkerThreads.run { _ in try? ImageDecoder.decode(contentsOf: name).image }
  ///     }
  ///     for await sizes in images.chunks(ofCount: 64).orderedMap(width: 1, { $0.map { $0?.width } }) { print(sizes) }
  ///
  /// Nothing is done before the first result is asked for, and no more elements are taken than are worked on or wait
  /// for their turn: at most `width`, however slow the consumer is. An error of the sequence itself comes after the
  /// results before it. When the consuming task is cancelled, or stops asking, so is the work in progress.
  /// - Parameters:
  ///   - width: how many elements are worked on at a time, at least 1; nil for as many as there are processors for
  ///     them. A larger one lets others go on behind an element that takes long.
  ///   - transform: runs in a task of its own for each element. What would block its thread belongs on
  ///     ``WorkerThreads``.
  public func orderedMap<Output: Sendable>(
    width: Int? = nil, _ transform: @escaping @Sendable (Element) async -> Output
  ) -> OrderedMap<Self, Output> {
    OrderedMap(self, width: width) { _, element in await transform(element) }
  }

  /// Maps with a transform that can fail: the result of a failing element is its error, and the others go on.
  /// - Parameters:
  ///   - width: how many elements are worked on at a time, at least 1; nil for as many as there are processors for
  ///     them.
  ///   - transform: runs in a task of its own for each element.
  public func orderedResults<Output: Sendable, Refusal: Error>(
    width: Int? = nil, _ transform: @escaping @Sendable (Element) async throws(Refusal) -> Output
  ) -> OrderedMap<Self, Result<Output, Refusal>> {
    orderedMap(width: width) { element in
      await Result.of { () async throws(Refusal) in try await transform(element) }
    }
  }
}

/// The results of `orderedMap(width:_:)` of an `AsyncSequence`: one per element, in order, with several computed at a time.
public struct OrderedMap<Base: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The result for one element.
  public typealias Element = Output
  /// The error type of the base sequence.
  public typealias Failure = Base.Failure

  let base: Base
  let width: Int
  /// Its first argument is the element's position, from 0.
  let transform: @Sendable (Int, Base.Element) async -> Output

  init(_ base: Base, width: Int?, _ transform: @escaping @Sendable (Int, Base.Element) async -> Output) {
    self.base = base
    self.width = Swift.max(1, width ?? WorkerThreads.count)
    self.transform = transform
  }

  fileprivate enum Event: Sendable {
    case made(Int, Output)
    case failed(Base.Failure)
  }

  /// Begins with the first element.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Gives the results one by one, and works ahead.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var work: Producer<Event>
    /// Results whose turn has not come.
    private var early: [Int: Output] = [:]
    private var position = 0

    fileprivate init(_ map: OrderedMap) {
      work = Producer(places: map.width) { places, announced in
        if let failure = await map.work(places, announced) { announced.yield(.failed(failure)) }
      }
    }

    /// The next element's result; nil after the last, or when the task is cancelled.
    /// - Throws: what the sequence throws.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Base.Failure) -> Output? {
      while true {
        if !Task.isCancelled, let output = early.removeValue(forKey: position) {
          position += 1
          work.free()
          return output
        }
        switch await work.next(isolation: actor) {
        case .made(let index, let output): early[index] = output
        case .failed(let failure): throw failure
        case nil: return nil
        }
      }
    }
  }

  /// Transforms all elements, each in a task of its own.
  /// - Returns: what the sequence threw, when all results before are announced.
  private func work(
    _ places: Producer<Event>.Places, _ announced: AsyncStream<Event>.Continuation
  ) async -> Base.Failure? {
    await withDiscardingTaskGroup { group in
      var elements = base.makeAsyncIterator()
      var index = 0
      do throws(Base.Failure) {
        while let element = try await places.next(of: &elements) {
          group.addTask { [index] in announced.yield(.made(index, await transform(index, element))) }
          index += 1
        }
        return nil
      } catch {
        return error
      }
    }
  }
}
