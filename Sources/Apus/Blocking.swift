/// The calls of a model for programs that wait for each result: `model.blocking.classify(…)`.
///
/// They have a place of their own because Swift cannot tell two functions of one name apart that differ in `async`
/// alone: in a task the one that waits could not be reached, and outside of one `await` would be refused.
/// In a task that is cancelled they stop before the next node of the model.
public struct Blocking<Model: InferenceModel>: Sendable {
  package let model: Model
}

extension InferenceModel {
  /// The same calls for programs that wait.
  public var blocking: Blocking<Self> { Blocking(model: self) }
}
