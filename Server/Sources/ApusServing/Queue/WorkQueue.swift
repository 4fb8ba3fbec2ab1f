import Apus
import Synchronization

/// Work of one kind for one model: items of many requests wait here, and are taken in batches.
///
/// There is no timer. Whenever fewer batches are in work than there may be, the next is taken of what waits then: one
/// item of each request in its turn, so that a request of many items does not keep a small one waiting, up to a cost. What
/// is waited for by nobody any more leaves the queue, and a batch in work that nobody waits for is cancelled.
final class WorkQueue<Input: Sendable, Output: Sendable>: Sendable {
  typealias Outcome = Result<Output, ServingError>

  /// What a queue takes on.
  struct Limits: Sendable {
    /// The cost of all items that wait.
    let waiting: Int
    /// The cost of a batch of more than one item.
    let batch: Int
    /// The batches in work at a time.
    let width: Int
  }

  private let limits: Limits
  private let process: @Sendable ([Input]) async throws -> [Output]
  private let took: @Sendable (Int, Duration) -> Void
  private let state = Mutex(WorkQueueState<Input, Output>())

  /// - Parameters:
  ///   - process: one output for each of its inputs. It stops early when its task is cancelled.
  ///   - took: told of each batch how many items it has, and how long they waited, all together. It must not wait.
  init(
    _ limits: Limits, process: @escaping @Sendable ([Input]) async throws -> [Output],
    took: @escaping @Sendable (Int, Duration) -> Void = { _, _ in }
  ) {
    (self.limits, self.process, self.took) = (limits, process, took)
  }

  /// The batches in work.
  var batchesInWork: Int { state.withLock { $0.batches.count } }

  /// The cost of what waits.
  var waitingCost: Int { state.withLock { $0.waiting } }

  /// Refuses a request before anything is spent on reading it, while the queue is about full: who is overloaded must not
  /// have refusals take what answers need.
  /// - Throws: ``ServingError`` of kind `overloaded`.
  func requireRoom() throws(ServingError) {
    let refusal = state.withLock { $0.refusalUnread(limits.waiting, width: limits.width) }
    if let refusal { throw refusal }
  }

  /// What comes of the items of a request, in their order. An item that fails leaves the others alone.
  /// - Parameter items: each with its cost.
  /// - Throws: ``ServingError``: `tooLarge` when there is never room for the request, `overloaded` when there is none now,
  ///   `deadline`, `cancelled` when the calling task is.
  func outcomes(
    of items: [(input: Input, cost: Int)], until deadline: ContinuousClock.Instant
  ) async throws(ServingError) -> [Outcome] {
    guard !items.isEmpty else { return [] }
    let id = state.withLock { $0.nextID() }
    defer { state.withLock { $0.forget(id) } }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: WorkRequest<Input, Output>.Continuation) in
        let request = WorkRequest(items, until: deadline, continuation)
        let refusal = state.withLock { (state) -> ServingError? in
          if let refusal = state.refusal(of: request, limits.waiting, width: limits.width) { return refusal }
          state.add(request, id)
          startBatches(&state)
          return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
      }
    } onCancel: {
      let ended = state.withLock { $0.cancel(id) }
      end(ended.map { [$0] } ?? [], ServingError(.cancelled, "The client is gone."))
    }.get()
  }

  /// Ends the requests whose time is over.
  func expire(at now: ContinuousClock.Instant) {
    let overdue = state.withLock { $0.endOverdue(at: now) }
    end(overdue, ServingError(.deadline, "The request was not done in its time."))
  }

  private func end(_ requests: [WorkQueueState<Input, Output>.Ended], _ error: ServingError) {
    for request in requests {
      for task in request.idle { task.cancel() }
      request.continuation.resume(returning: .failure(error))
    }
  }

  /// Takes batches of what waits as long as there may be more in work. Called with the lock held.
  private func startBatches(_ state: inout WorkQueueState<Input, Output>) {
    while let (number, batch, wait) = state.take(limits.batch, width: limits.width) {
      took(batch.count, wait)
      state.batches[number]?.task = Task { await self.work(on: batch, number) }
    }
  }

  private func work(on batch: [Input], _ number: UInt64) async {
    let clock = ContinuousClock()
    let begin = clock.now
    let outcomes = await outcomes(of: batch)
    let time = clock.now - begin
    let finished = state.withLock { state in
      let finished = state.finish(number, outcomes, in: time)
      startBatches(&state)
      return finished
    }
    for (continuation, outcomes) in finished { continuation.resume(returning: .success(outcomes)) }
  }

  /// What comes of a batch. When it fails as a whole, each item is tried by itself, so that one does not fail the others.
  private func outcomes(of batch: [Input]) async -> [Outcome] {
    do {
      let outputs = try await process(batch)
      guard outputs.count == batch.count else {
        throw ServingError(.failed, "The model gave \(outputs.count) results for \(batch.count) inputs.")
      }
      return outputs.map { .success($0) }
    } catch {
      let error = ServingError(error)
      guard batch.count > 1, error.kind != .cancelled else { return batch.map { _ in .failure(error) } }
    }
    var outcomes: [Outcome] = []
    for item in batch { outcomes += await self.outcomes(of: [item]) }
    return outcomes
  }
}
