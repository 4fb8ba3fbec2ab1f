import Kernels
import TensorCore

/// What came of one of many inputs.
public struct InferenceOutcome<Input: Sendable, Output: Sendable>: Sendable {
  /// The position among the inputs, from 0.
  public let index: Int
  /// What was taken from the sequence.
  public let input: Input
  /// What came of it, or why nothing did.
  public let result: Result<Output, ApusError>
}

/// How many inputs are worked on at a time.
enum BatchWidth {
  /// - Parameter width: what the caller says; nil for as many as there are processors for them.
  static func count(_ width: Int?) -> Int { max(1, width ?? ThreadPool.shared.size) }
}
