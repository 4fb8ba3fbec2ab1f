/// The result of a classifier for one text, or for a pair.
public struct TextClassification: Sendable, Codable {
  /// The classes, best first; of equal scores the lower index is first.
  public internal(set) var predictions: [Prediction]
  /// The model's output for each class, by index, before it becomes a score: logits in most models.
  public let outputs: [Float]
  /// Whether even the best score is below the classifier's threshold.
  public let isUncertain: Bool
  /// Tokens that the model saw, special ones included.
  public let tokenCount: Int
  /// Whether the text was longer than the model takes, and was cut.
  public let wasTruncated: Bool
  /// The time that each stage took; texts that ran together share it evenly.
  public var times: StageTimes

  /// Leaves out all but the best.
  package mutating func keep(_ count: Int) { predictions = Array(predictions.prefix(max(0, count))) }

  private enum CodingKeys: String, CodingKey {
    case predictions, outputs, isUncertain, tokenCount, wasTruncated, times = "milliseconds"
  }
}
