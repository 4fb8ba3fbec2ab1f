/// What a classifier says of one text.
public struct TextClassification: Sendable {
  /// The classes, best first; of equal scores the lower index is first.
  public let predictions: [Prediction]
  /// Whether the best score lies below the classifier's threshold.
  public let isUncertain: Bool
  /// Tokens that the model saw, special ones included.
  public let tokenCount: Int
  /// Whether the text was longer than the model takes, and was cut.
  public let wasTruncated: Bool
  /// The time from text to scores, in milliseconds; texts that ran together share it evenly.
  public let milliseconds: Double
}
