/// The calls of a model for programs that wait for each result: `model.blocking.classify(…)`.
///
/// They have a place of their own because Swift cannot tell two functions of one name apart that differ in `async`
/// alone: in a task the one that waits could not be reached, and outside of one `await` would be refused.
/// They work on the thread that calls. In a task that is cancelled they stop before the next node of the model.
public struct Blocking<Model: InferenceModel>: Sendable {
  package let model: Model
  let isCancelled: @Sendable () -> Bool
}

extension InferenceModel {
  /// Calls that block until they are done.
  public var blocking: Blocking<Self> { blocking { Task.isCancelled } }

  /// Blocking calls with a cancellation of the caller's own, for programs without tasks.
  ///
  ///     import Synchronization
  ///     let isStopped = Atomic<Bool>(false)
  ///     let classifier = try ImageClassifier("leaf.tflite")
  ///     let waiting = classifier.blocking { isStopped.load(ordering: .relaxed) }
  ///     print(try waiting.classify("leaf.jpg").predictions[0].label)
  ///
  /// - Parameter isCancelled: asked before each node of the model, on the thread that runs it, which holds no lock then:
  ///   whether the call is to stop.
  public func blocking(until isCancelled: @escaping @Sendable () -> Bool) -> Blocking<Self> {
    Blocking(model: self, isCancelled: isCancelled)
  }
}
