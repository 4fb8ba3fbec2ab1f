/// Two texts that a model reads together, such as a question and a text that may answer it.
public struct TextPair: Sendable, Hashable, Codable {
  /// What comes first: of a re-ranker the question.
  public var first: String
  /// What comes second.
  public var second: String
  /// Which of the two is cut where they are too long together.
  public var cuts: TruncationStrategy = .longestFirst

  private enum CodingKeys: String, CodingKey { case first, second }

  /// - Parameters:
  ///   - first: what comes first: of a re-ranker the question.
  ///   - second: what comes second.
  ///   - cuts: which of the two is cut where they are too long together.
  public init(_ first: String, _ second: String, cutting cuts: TruncationStrategy = .longestFirst) {
    self.first = first
    self.second = second
    self.cuts = cuts
  }
}
