extension Privacy {
  /// What a sealed process is left of sockets.
  public enum Scope: String, Sendable, Hashable, Codable {
    /// None.
    case alone
    /// Those on which it listens already, and whoever connects to them: it answers, and calls nobody. Bytes leave only in
    /// answer to who asked.
    case answering
  }
}
