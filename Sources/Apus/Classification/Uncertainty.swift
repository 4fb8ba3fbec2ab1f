/// Why an answer is not to be trusted.
public enum Uncertainty: String, Sendable, Hashable, Codable {
  /// The input is unlike all that the model was calibrated with: it shows none of the classes.
  case foreign
  /// Even the best score is below the classifier's threshold.
  case lowScore = "low_score"
}

extension TextClassification {
  /// Why it is not to be trusted; nil when it is certain.
  public var uncertainty: Uncertainty? { isUncertain ? .lowScore : nil }
}
