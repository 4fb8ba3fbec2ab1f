import Apus
import ApusService

extension ServedModel {
  /// What it did for the items of requests.
  public var executions: ExecutionCounts { account.counts }

  /// Has a request done, and takes down what became of it: the time of one whose items all have results; a failure where
  /// it, or one of its items, ended in an error, as protocols answer with that. One whose client is gone is neither.
  func recorded<Output>(
    _ body: () async throws(ServingError) -> RequestOutcomes<Output>
  ) async throws(ServingError) -> [Result<Output, ServingError>] {
    let outcomes = try await failing(body)
    takeDown(outcomes)
    return outcomes.items
  }

  /// Has the part of a request done without which there is none, and takes down a failure where it ends in an error.
  func failing<Value>(
    _ body: () async throws(ServingError) -> Value
  ) async throws(ServingError) -> Value {
    do throws(ServingError) {
      return try await body()
    } catch {
      throw failed(error)
    }
  }

  /// Takes down the failure of a request for one of its tasks that a protocol refuses before anything is done for it.
  /// - Returns: the error to be thrown.
  public func failed(_ error: ServingError) -> ServingError {
    if error.kind != .cancelled { recorder.recordFailure() }
    return error
  }

  private func takeDown<Output>(_ outcomes: RequestOutcomes<Output>) {
    let errors = outcomes.items.compactMap(\.error)
    if errors.contains(where: { $0.kind != .cancelled }) {
      recorder.recordFailure()
    } else if errors.isEmpty, !outcomes.items.isEmpty {
      recorder.record(.total, outcomes.time)
    }
  }

  /// What comes of items that a model is to do.
  /// - Parameter open: the model where the request had it already; nil for the one that there is at their turn.
  func outcomes<Model, Input, Output>(
    of items: [(input: Input, cost: Int)], for open: OpenModel<Model>? = nil,
    in queue: ModelQueues.Queue<Model, Input, Output>
  ) async throws(ServingError) -> RequestOutcomes<Output> {
    try await outcomes(of: items.map { (.init(input: $0.input, open: open), $0.cost) }, in: queue)
  }

  /// What comes of items in a queue, from now until the time of requests is over.
  func outcomes<Input, Output>(
    of items: [(input: Input, cost: Int)], in queue: WorkQueue<Input, Output>
  ) async throws(ServingError) -> RequestOutcomes<Output> {
    let begin = ContinuousClock.now
    let outcomes = try await queue.outcomes(of: items, until: begin + limits.requestTime)
    return RequestOutcomes(items: outcomes, time: ContinuousClock.now - begin)
  }
}
