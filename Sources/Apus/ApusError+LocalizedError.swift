import FoundationEssentials
import TensorCore

/// What programs show of an error that they do not know: `error.localizedDescription` is ``errorDescription``.
extension ApusError: LocalizedError {
  /// Where it is, what was found, and what was expected.
  public var errorDescription: String? { summary }

  /// What was found, by itself.
  public var failureReason: String? { "\(problem.prefix(1).uppercased())\(problem.dropFirst())." }

  /// What the reader can do.
  public var recoverySuggestion: String? { advice }
}
