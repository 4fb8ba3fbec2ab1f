/// What a server says of itself.
public struct ServerMetadata: Sendable, Hashable, Codable {
  /// Its name.
  public let name: String
  /// Its version.
  public let version: String
  /// What it offers beyond the protocol's core, by the names that the protocol's extensions have.
  public let extensions: [String]

  /// A description.
  public init(name: String, version: String, extensions: [String]) {
    (self.name, self.version, self.extensions) = (name, version, extensions)
  }
}

/// The form of every error.
public struct InferenceErrorMessage: Sendable, Hashable, Codable {
  /// What went wrong.
  public let error: String

  /// An error.
  public init(_ error: String) { self.error = error }
}
