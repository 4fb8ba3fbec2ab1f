extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements in arrays, so that what comes behind takes many together.
  ///
  ///     let numbers = AsyncStream { continuation in
  ///       for number in 0..<5 { continuation.yield(number) }
  ///       continuation.finish()
  ///     }
  ///     for await chunk in numbers.chunks(ofCount: 2, orAfter: .seconds(1)) { print(chunk) }
  ///
  /// The next chunk is gathered while one is worked on, and no more elements are taken ahead. The last chunk may be
  /// shorter, as may the one before an error of the sequence, which comes behind it.
  /// - Parameters:
  ///   - count: the elements of a chunk, at least 1.
  ///   - time: a chunk that is not full is given when its first element has waited so long; nil to wait for the others.
  public func chunks(ofCount count: Int, orAfter time: Duration? = nil) -> Chunks<Self> {
    Chunks(base: self, count: Swift.max(1, count), time: time)
  }
}

/// The elements of an asynchronous sequence in arrays: what
/// `chunks(ofCount:orAfter:)` of an `AsyncSequence` gives.
public struct Chunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Sendable {
  /// At least one element.
  public typealias Element = [Base.Element]
  /// The error type of the base sequence.
  public typealias Failure = Base.Failure

  let base: Base
  let count: Int
  let time: Duration?

  fileprivate enum Event: Sendable {
    case element(Base.Element)
    case failed(Base.Failure)
    /// The first element of the chunk of this number has waited long enough.
    case late(Int)
  }

  /// Begins with the first element.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Gives the chunks one by one, and takes elements ahead.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var elements: Producer<Event>
    private let count: Int
    private let time: Duration?
    private var number = 0
    private var failure: Base.Failure?

    fileprivate init(_ chunks: Chunks) {
      (count, time) = (chunks.count, chunks.time)
      elements = Producer(places: chunks.count) { places, announced in
        do throws(Base.Failure) {
          var base = chunks.base.makeAsyncIterator()
          while let element = try await places.next(of: &base) {
            announced.yield(.element(element))
          }
        } catch {
          announced.yield(.failed(error))
        }
      }
    }

    /// The next elements; nil after the last, or when the task is cancelled.
    /// - Throws: what the sequence throws.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Base.Failure) -> [Base.Element]? {
      var chunk: [Base.Element] = []
      var alarm: Task<Void, Never>?
      defer { alarm?.cancel() }
      number += 1
      gathering: while failure == nil, chunk.count < count {
        switch await elements.next(isolation: actor) {
        case .element(let element):
          if chunk.isEmpty { alarm = startAlarm() }
          chunk.append(element)
        case .failed(let error): failure = error
        case .late(number): break gathering
        case .late: continue
        case nil: break gathering
        }
      }
      guard !Task.isCancelled else { return nil }
      if chunk.isEmpty, let failure = failure.take() { throw failure }
      for _ in chunk { elements.free() }
      return chunk.isEmpty ? nil : chunk
    }

    private func startAlarm() -> Task<Void, Never>? {
      time.map { time in
        Task { [number, announced = elements.announced] in
          if (try? await Task.sleep(for: time)) != nil { announced.yield(.late(number)) }
        }
      }
    }
  }
}
