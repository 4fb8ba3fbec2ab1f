/// What a classifier says of one picture.
public struct Classification: Sendable, Codable {
  /// The best classes, best first; of equal scores the lower index is first.
  public internal(set) var predictions: [Prediction]
  /// Whether even the best score is below the classifier's threshold.
  public let isUncertain: Bool
  /// How the picture became the model's input: profile, resize, geometry, formula, encoding.
  public let preprocessing: String
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is.
  public let damage: String?
  /// The time that each stage took.
  public let milliseconds: StageMilliseconds
}
