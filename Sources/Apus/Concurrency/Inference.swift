import Networks
import TensorCore

/// The work of a classifier or embedder on one input, in the forms callers need: blocking, asynchronous, in batches.
struct Inference<Input: Sendable, Output: Sendable>: Sendable {
  /// Does not begin, and stops before the next node of the model, when its second argument says so.
  let work: @Sendable (Input, () -> Bool) throws(ApusError) -> Output

  init(_ work: @escaping @Sendable (Input, () -> Bool) throws(ApusError) -> Output) {
    self.work = { (input, isCancelled) throws(ApusError) in
      guard !isCancelled() else { throw ApusError(.cancelled, "the work was cancelled") }
      return try work(input, isCancelled)
    }
  }

  /// The result, for which the caller waits.
  func now(_ input: Input, until isCancelled: () -> Bool) throws(ApusError) -> Output {
    try work(input, isCancelled)
  }

  /// The results, one after the other.
  func now(_ inputs: [Input], until isCancelled: () -> Bool) throws(ApusError) -> [Output] {
    var outputs: [Output] = []
    for input in inputs { outputs.append(try now(input, until: isCancelled)) }
    return outputs
  }

  /// The result, without blocking a thread of the caller's executor.
  func inBackground(_ input: Input) async throws(ApusError) -> Output {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in try work(input, isCancelled) }
  }

  /// The results in the order of the inputs, several being worked on at a time.
  func all(_ inputs: [Input]) async throws(ApusError) -> [Output] {
    var outputs: [Output] = []
    for await item in batch(of: inputs, width: nil) { outputs.append(try item.result.get()) }
    // A batch ends early only if it was cancelled.
    guard outputs.count == inputs.count else { throw ApusError(.cancelled, "the work was cancelled") }
    return outputs
  }

  /// The results for many inputs, several being worked on at a time.
  func batch<Inputs: Sequence<Input>>(of inputs: Inputs, width: Int?) -> InferenceBatch<Inputs, Output> {
    InferenceOutcome.batch(of: inputs, width: width, inBackground)
  }

  /// The results for inputs that come by and by, several being worked on at a time.
  func stream<Inputs: AsyncSequence & Sendable>(
    of inputs: Inputs, width: Int?
  ) -> InferenceStream<Inputs, Output> where Inputs.Element == Input {
    InferenceOutcome.stream(of: inputs, width: width, inBackground)
  }
}

extension Inference {
  /// For work that says of each of several inputs what came of it: all results, or the first error with the number of its
  /// input from 0, where there are several.
  /// - Parameter what: what an input is called.
  func allTogether<Value: Sendable>(naming what: String) -> Inference<Input, [Value]>
  where Output == [Result<Value, ApusError>] {
    Inference<Input, [Value]> { (input, isCancelled) throws(ApusError) in
      let results = try work(input, isCancelled)
      var values: [Value] = []
      for (index, result) in results.enumerated() {
        do throws(ApusError) {
          values.append(try result.get())
        } catch {
          throw error.at(what, index, of: results.count)
        }
      }
      return values
    }
  }

  /// For work that takes several inputs together: each of them by itself.
  func single<Element, Result>() -> Inference<Element, Result>
  where Input == [Element], Output == [Result] {
    Inference<Element, Result> { (input, isCancelled) throws(ApusError) in try work([input], isCancelled)[0] }
  }
}
