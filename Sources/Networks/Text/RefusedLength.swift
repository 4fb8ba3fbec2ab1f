import TensorCore

/// The shortest text that is over the limit of a run by itself. A longer one needs more memory, and nothing is compiled to
/// find that out again.
final class RefusedLength: Sendable {
  private let least = Lock<(tokens: Int, error: ApusError)?>(nil)

  /// Notes why a text of so many tokens is refused.
  func add(_ error: ApusError, tokens: Int) {
    least.withLock { known in
      guard tokens < known?.tokens ?? .max else { return }
      known = (tokens, error)
    }
  }

  /// Why a text of so many tokens is refused; nil where that is not known to be so.
  func error(forTokens tokens: Int) -> ApusError? {
    guard let known = least.withLock(\.self), tokens >= known.tokens else { return nil }
    guard tokens > known.tokens else { return known.error }
    return known.error.at("a text of \(known.tokens) token\(known.tokens == 1 ? "" : "s")")
  }
}
