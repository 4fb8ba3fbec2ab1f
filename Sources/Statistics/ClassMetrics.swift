/// How well one class is told from the others.
public struct ClassMetrics: Sendable, Hashable {
  /// Samples of the class.
  public let support: Int
  /// Samples that were said to be of the class.
  public let predicted: Int
  /// Samples of the class that were said to be of it.
  public let hits: Int

  package init(support: Int, predicted: Int, hits: Int) {
    self.support = support
    self.predicted = predicted
    self.hits = hits
  }

  /// Of the samples said to be of the class, the share that is; 0 when there are none.
  public var precision: Double { predicted > 0 ? Double(hits) / Double(predicted) : 0 }

  /// Of the samples of the class, the share that was found; 0 when there are none.
  public var recall: Double { support > 0 ? Double(hits) / Double(support) : 0 }

  /// The harmonic mean of precision and recall; 0 when the class neither occurs nor is predicted.
  public var f1: Double {
    support + predicted > 0 ? 2 * Double(hits) / Double(support + predicted) : 0
  }
}
