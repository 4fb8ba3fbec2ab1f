/// Two texts that a model reads together, such as a question and a text that may answer it.
public struct TextPair: Sendable, Hashable, Codable {
  /// What comes first: of a re-ranker the question.
  public var first: String
  /// What comes second.
  public var second: String

  /// - Parameters:
  ///   - first: what comes first: of a re-ranker the question.
  ///   - second: what comes second.
  public init(_ first: String, _ second: String) {
    self.first = first
    self.second = second
  }
}
