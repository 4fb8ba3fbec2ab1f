/// The least score of a match.
public enum MinimumScore: Sendable, Hashable {
  /// Nothing: there is always an answer.
  case none
  /// A cosine.
  case cosine(Float)
  /// More than sentences reach that say nothing, such as "a photo": a photograph that any of them tells as well is not
  /// like the query. For queries with a sentence. Where the model's vocabulary lacks words of these sentences, they do not
  /// say nothing to it, and every photograph is a match; ``PhotoSearcher/notes`` then say so.
  case automatic
}
