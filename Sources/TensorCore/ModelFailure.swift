/// What failed of one of several models that a program uses by their names.
public struct ModelFailure: Sendable, Equatable {
  /// What became of the model.
  public enum Reason: Sendable, Equatable {
    /// There is no model where it was looked for.
    case notFound
    /// It is there, and could not be opened.
    case loadFailed
    /// A run of it failed.
    case inferenceFailed
    /// It takes more memory than can be had. Both are in bytes.
    case insufficientMemory(needed: Int, available: Int)
    /// The machine lacks what it needs, or it was switched off.
    case notAvailable
    /// It does not take what it was given.
    case invalidInput
    /// It was asked for as one that is loaded, and is not.
    case notLoaded
  }

  /// The model's name.
  public let model: String
  /// What became of it.
  public let reason: Reason

  /// - Parameters:
  ///   - model: its name.
  ///   - reason: what became of it.
  public init(_ model: String, _ reason: Reason) {
    self.model = model
    self.reason = reason
  }
}
