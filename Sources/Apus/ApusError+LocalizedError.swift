import FoundationEssentials
import TensorCore

/// The text of programs that show any error: `error.localizedDescription` is ``errorDescription``.
extension ApusError: LocalizedError {
  /// Where it is, what was found, and what was expected.
  public var errorDescription: String? {
    // The name of a file or place, whose letters count, may stand first.
    modelFailure == nil && (file != nil || location != nil) ? summary : Self.sentence(summary)
  }

  /// The finding alone.
  public var failureReason: String? { Self.sentence("\(problem).") }

  /// The advice.
  public var recoverySuggestion: String? { advice }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
