import Apus

/// A text's sentiment, as judged by ``SentimentClassifierKit``.
public struct SentimentOutput: Sendable, Hashable, Codable {
  /// The side that the text takes; neutral where neither is likely enough.
  public let sentiment: Sentiment.Polarity
  /// How sure that is, from 0 to 1. Of neutral: 1 where both sides are as likely as each other.
  public let confidence: Float
  /// Whether the text was longer than the model takes, and only its beginning was read.
  public let wasTruncated: Bool

  /// The probability below which words alone take no side.
  private static let wordThreshold = 0.6

  /// Of a model that knows no neutral texts, an uncertain answer is neutral.
  init(_ sentiment: Sentiment) {
    let isNeutral = sentiment.isUncertain && sentiment.polarity != .neutral
    self.sentiment = isNeutral ? .neutral : sentiment.polarity
    confidence = isNeutral ? min(2 * (1 - sentiment.score), 1) : sentiment.score
    wasTruncated = sentiment.wasTruncated
  }

  /// - Parameter positive: the probability of that side, the other being negative.
  init(positive: Double) {
    let best = max(positive, 1 - positive)
    self.init(
      Sentiment(
        polarity: positive > 0.5 ? .positive : .negative, score: Float(best),
        isUncertain: best < Self.wordThreshold, wasTruncated: false))
  }
}
