import Synchronization
import TensorCore

/// Takes inputs as they come, and has as many in work as there are places for. When it is released, the reading and
/// what is in work are cancelled.
final class InferenceReader<Input: Sendable, Output: Sendable>: Sendable {
  typealias Work = Task<InferenceOutcome<Input, Output>, Never>

  /// Work that was begun and not waited for yet.
  fileprivate final class Begun: Sendable {
    let tasks = Mutex<[Int: Work]>([:])
  }

  /// The work for each input, in their order; it ends with what the inputs throw.
  let outcomes: AsyncThrowingStream<Work, any Error>
  private let begun = Begun()
  private let places: AsyncStream<Void>.Continuation
  private let reading: Task<Void, Never>

  init<Inputs: AsyncSequence & Sendable>(
    _ inputs: Inputs, width: Int, work: @escaping @Sendable (Input) async throws(ApusError) -> Output
  ) where Inputs.Element == Input {
    let (outcomes, announced) = AsyncThrowingStream.makeStream(of: Work.self)
    let (free, places) = AsyncStream.makeStream(of: Void.self)
    self.outcomes = outcomes
    self.places = places
    for _ in 0..<width { places.yield() }
    reading = Task { [begun] in
      do {
        var inputs = inputs.makeAsyncIterator()
        var places = free.makeAsyncIterator()
        var index = 0
        while await places.next() != nil, let input = try await inputs.next() {
          announced.yield(begun.begin(index, input, work))
          index += 1
        }
        announced.finish()
      } catch {
        announced.finish(throwing: error)
      }
    }
  }

  deinit { stop() }

  /// Waits for work, and frees its place.
  func finish(_ work: Work) async -> InferenceOutcome<Input, Output> {
    let outcome = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      stop()
    }
    begun.tasks.withLock { _ = $0.removeValue(forKey: outcome.index) }
    places.yield()
    return outcome
  }

  /// Ends the reading, and what is in work.
  func stop() {
    reading.cancel()
    for task in begun.tasks.withLock({ Array($0.values) }) { task.cancel() }
  }
}

extension InferenceReader.Begun {
  fileprivate func begin(
    _ index: Int, _ input: Input, _ work: @escaping @Sendable (Input) async throws(ApusError) -> Output
  ) -> InferenceReader.Work {
    let task = Task {
      InferenceOutcome(
        index: index, input: input,
        result: await Result.of { () async throws(ApusError) in try await work(input) })
    }
    tasks.withLock { $0[index] = task }
    return task
  }
}
