extension Privacy {
  /// The use of sockets that a sealed process keeps.
  public enum Scope: String, Sendable, Hashable, Codable {
    /// None.
    case alone
    /// Sockets on which it already listens, and their clients: it answers, and connects to none. Bytes leave only in answers.
    case answering
  }
}
