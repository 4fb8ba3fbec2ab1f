/// How well a text answers a query.
public struct TextRelevance: Sendable, Hashable {
  /// The logit of the re-ranker's only class.
  public let logit: Float
  /// The tokens that were read of the query and the text, special ones included.
  public let tokenCount: Int
}
