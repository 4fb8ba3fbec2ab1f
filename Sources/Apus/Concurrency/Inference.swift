import Networks
import TensorCore

/// What a classifier or embedder does with one input, in the ways in which callers want it done.
struct Inference<Input: Sendable, Output: Sendable>: Sendable {
  /// Stops before the next node of the model when its second argument says so.
  let work: @Sendable (Input, () -> Bool) throws(ApusError) -> Output

  init(_ work: @escaping @Sendable (Input, () -> Bool) throws(ApusError) -> Output) { self.work = work }

  /// The result, for which the caller waits. It stops when the calling task is cancelled.
  func now(_ input: Input) throws(ApusError) -> Output { try work(input) { Task.isCancelled } }

  /// The result, without blocking a thread of the caller's executor.
  func inBackground(_ input: Input) async throws(ApusError) -> Output {
    try await InferenceQueue.run { (cancellation) throws(ApusError) in
      try work(input) { cancellation.isRequested }
    }
  }

  /// The results for many inputs, several being worked on at a time.
  func batch<Inputs: Sequence<Input>>(of inputs: Inputs, width: Int?) -> InferenceBatch<Inputs, Output> {
    InferenceBatch(inputs, width: width) { (input) async throws(ApusError) in try await inBackground(input) }
  }
}
