import Apus

/// Tokens that a client has a text take at most, below what the model takes: texts are cut at the model's own limit alone.
public struct TokenLimit: Sendable, Hashable {
  /// The tokens, special ones included.
  public let count: Int
  /// Where the client says so, as errors name it.
  public let field: String

  /// - Parameters:
  ///   - count: the tokens, special ones included.
  ///   - field: where the client says so, as errors name it.
  public init(_ count: Int, field: String) { (self.count, self.field) = (count, field) }

  /// - Throws: ``ServingError`` of kind `invalid` where a text has more.
  func check(_ encodings: [Result<Encoding, ServingError>]) throws(ServingError) {
    // A text that the model cuts is longer still.
    guard encodings.contains(where: { ((try? $0.get().content.count) ?? 0) > count }) else { return }
    throw ServingError(
      .invalid, "'\(field)': a text has more than \(count) tokens; only the model's own limit cuts.")
  }
}
