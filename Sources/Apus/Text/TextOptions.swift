/// How a text model is set up. The defaults are the model's own.
public struct TextOptions: Sendable {
  /// Precision and threads.
  public var inference = InferenceOptions()

  public init() {}
}
