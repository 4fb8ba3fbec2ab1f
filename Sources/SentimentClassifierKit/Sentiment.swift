import Apus

/// How a text speaks of its subject.
public struct Sentiment: Sendable, Hashable, Codable {
  /// The side a text takes.
  public enum Polarity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Against its subject.
    case negative
    /// On no side, or on both.
    case neutral
    /// For its subject.
    case positive

    /// The polarity that a class's name says: by its first letters, whatever their case.
    init?(label: String) {
      let label = label.lowercased()
      guard let match = Self.allCases.first(where: { label.hasPrefix($0.rawValue.prefix(3)) }) else {
        return nil
      }
      self = match
    }
  }

  /// The side that the text takes.
  public let polarity: Polarity
  /// How sure the model is of it, from 0 to 1.
  public let score: Float
  /// Whether the score is below the classifier's threshold.
  public let isUncertain: Bool
  /// Whether the text was longer than the model takes, and only its beginning was read.
  public let wasTruncated: Bool

  init(polarity: Polarity, score: Float, isUncertain: Bool, wasTruncated: Bool) {
    self.polarity = polarity
    self.score = score
    self.isUncertain = isUncertain
    self.wasTruncated = wasTruncated
  }

  /// Nil when no class has a name that says a polarity.
  init?(_ classification: TextClassification) {
    guard let best = classification.predictions.first, let polarity = Polarity(label: best.label) else {
      return nil
    }
    self.init(
      polarity: polarity, score: best.score, isUncertain: classification.isUncertain,
      wasTruncated: classification.wasTruncated)
  }
}
