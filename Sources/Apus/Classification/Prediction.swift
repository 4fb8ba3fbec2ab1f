import Formats

/// A class and how sure the model is of it.
public struct Prediction: Sendable, Hashable, Codable {
  /// The name of the class; its index as a number where no labels are known, and empty where a configuration
  /// has an empty name.
  public let label: String
  /// The position among the model's outputs.
  public let index: Int
  /// The probability, from 0 to 1.
  public let score: Float
  /// Whether the score is below the classifier's threshold, or the input foreign (``Uncertainty/foreign``).
  public let isUncertain: Bool
  /// More from the label file: names in other languages, a description, advice; nil if there is none.
  public let details: LabelDetails?
}

extension Prediction {
  /// The prediction with a name to show: the number of the class if its name is empty.
  package var named: Prediction {
    guard label.isEmpty else { return self }
    return Prediction(
      label: "\(index)", index: index, score: score, isUncertain: isUncertain, details: details)
  }
}
