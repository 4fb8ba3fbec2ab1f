extension Sequence where Element: Sendable {
  /// Maps each element, several at a time, with results in the order of the elements, like `orderedMap(width:_:)` of an
  /// `AsyncSequence`. Elements are taken by the task that asks for results.
  /// - Parameters:
  ///   - width: how many elements are worked on at a time, at least 1; nil for as many as there are processors for
  ///     them.
  ///   - transform: runs in a task of its own for each element.
  public func orderedMap<Output: Sendable>(
    width: Int? = nil, _ transform: @escaping @Sendable (Element) async -> Output
  ) -> OrderedSequenceMap<Self, Output> {
    OrderedSequenceMap(self, width: width) { _, element in await transform(element) }
  }

  /// Maps with a transform that can fail: the result of a failing element is its error, and the others go on.
  /// - Parameters:
  ///   - width: how many elements are worked on at a time, at least 1; nil for as many as there are processors for
  ///     them.
  ///   - transform: runs in a task of its own for each element.
  public func orderedResults<Output: Sendable, Refusal: Error>(
    width: Int? = nil, _ transform: @escaping @Sendable (Element) async throws(Refusal) -> Output
  ) -> OrderedSequenceMap<Self, Result<Output, Refusal>> {
    orderedMap(width: width) { element in
      await Result.of { () async throws(Refusal) in try await transform(element) }
    }
  }
}

/// The results of `orderedMap(width:_:)` of a `Sequence`: one per element, in order, with several computed at a time.
public struct OrderedSequenceMap<Base: Sequence, Output: Sendable>: AsyncSequence
where Base.Element: Sendable {
  /// The result for one element.
  public typealias Element = Output
  /// A sequence does not throw.
  public typealias Failure = Never

  let base: Base
  let width: Int?
  /// Its first argument is the element's position, from 0.
  let transform: @Sendable (Int, Base.Element) async -> Output

  init(_ base: Base, width: Int?, _ transform: @escaping @Sendable (Int, Base.Element) async -> Output) {
    self.base = base
    self.width = width
    self.transform = transform
  }

  /// Begins with the first element.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Gives the results one by one, and works ahead.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// It need not be Sendable, so that no other task may take from it.
    private var elements: Base.Iterator
    private let taken: AsyncStream<Base.Element>.Continuation
    private var outputs: OrderedMap<AsyncStream<Base.Element>, Output>.AsyncIterator
    private let width: Int
    private var ahead = 0

    fileprivate init(_ map: OrderedSequenceMap) {
      let (stream, taken) = AsyncStream.makeStream(of: Base.Element.self)
      let outputs = OrderedMap(stream, width: map.width, map.transform)
      elements = map.base.makeIterator()
      (self.taken, self.outputs, width) = (taken, outputs.makeAsyncIterator(), outputs.width)
    }

    /// The next element's result; nil after the last, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Output? {
      while ahead < width, let element = elements.next() {
        taken.yield(element)
        ahead += 1
      }
      guard ahead > 0 else { return nil }
      ahead -= 1
      return await outputs.next(isolation: actor)
    }
  }
}

/// A sequence that may go to another task may be mapped there again.
extension OrderedSequenceMap: Sendable where Base: Sendable {}
