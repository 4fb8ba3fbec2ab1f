/// A model of the repository.
public struct RepositoryModel: Sendable, Hashable, Codable {
  /// Whether it can be used.
  public enum State: String, Sendable, Codable {
    /// It answers.
    case ready = "READY"
    /// It is being opened.
    case loading = "LOADING"
    /// It was taken out, or cannot be opened.
    case unavailable = "UNAVAILABLE"
  }

  /// Its name.
  public let name: String
  /// Its version.
  public let version: String
  /// Whether it can be used.
  public let state: State
  /// Why it cannot; empty where it can.
  public let reason: String

  /// A model.
  public init(name: String, version: String, state: State, reason: String = "") {
    (self.name, self.version, self.state, self.reason) = (name, version, state, reason)
  }
}
