import TensorCore

/// How cosines become scores, where a call asks for another way than its classifier's.
public struct ZeroShotReading: Sendable, Hashable {
  /// How logits are read; nil as the classifier reads them.
  public var scoring: ZeroShotScoring?
  /// The number by which cosines are multiplied, finite, in the place of its scale and temperature; nil for the classifier's.
  public var logitScale: Float?

  /// What is not given is the classifier's own.
  public init(scoring: ZeroShotScoring? = nil, logitScale: Float? = nil) {
    (self.scoring, self.logitScale) = (scoring, logitScale)
  }

  /// - Throws: ``ApusError`` of kind `argument`.
  func validate() throws(ApusError) {
    if let logitScale, !logitScale.isFinite {
      throw ApusError(.argument, "the logit scale \(logitScale)", expected: "a finite number")
    }
  }
}
