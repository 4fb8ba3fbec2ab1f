/// A class and how sure the model is of it.
public struct Prediction: Sendable, Hashable {
  /// The name of the class; its index as a number where no labels are known.
  public let label: String
  /// The position among the model's outputs.
  public let index: Int
  /// The probability, from 0 to 1.
  public let score: Float
}

/// What a classifier says of one picture.
public struct Classification: Sendable {
  /// The best classes, best first; of equal scores the lower index is first.
  public let predictions: [Prediction]
  /// Whether even the best score is below the classifier's threshold.
  public let isUncertain: Bool
  /// How the picture became the model's input: profile, resize, geometry, formula, encoding.
  public let preprocessing: String
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is.
  public let damage: String?
  /// The time that each stage took.
  public let milliseconds: StageMilliseconds
}

/// The time that each stage of a classification took, in milliseconds.
public struct StageMilliseconds: Sendable, Hashable {
  /// Reading and decoding the file.
  public let decode: Double
  /// Resizing, normalising and storing the picture.
  public let preprocess: Double
  /// Running the model.
  public let run: Double
  /// Turning outputs into scores and labels.
  public let rank: Double

  /// All stages together.
  public var total: Double { decode + preprocess + run + rank }
}
