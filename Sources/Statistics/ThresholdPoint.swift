/// What becomes of answers when those below a score are called uncertain.
public struct ThresholdPoint: Sendable, Hashable {
  /// Answers with a score below it are uncertain.
  public let threshold: Double
  /// Answers that are not.
  public let certain: Int
  /// Of these, the right ones.
  public let right: Int
  /// All answers.
  public let count: Int

  package init(threshold: Double, certain: Int, right: Int, count: Int) {
    self.threshold = threshold
    self.certain = certain
    self.right = right
    self.count = count
  }

  /// The share of answers that are certain.
  public var coverage: Double { count > 0 ? Double(certain) / Double(count) : 0 }

  /// The share of right answers among the certain ones; nil when none is certain.
  public var precision: Double? { certain > 0 ? Double(right) / Double(certain) : nil }

  /// A point for each of `thresholds`.
  /// - Parameters:
  ///   - scores: the best score of each sample.
  ///   - isRight: whether each answer is right.
  package static func sweep(
    _ thresholds: [Double], scores: [Double], isRight: [Bool]
  ) -> [ThresholdPoint] {
    thresholds.map { threshold in
      let certain = zip(scores, isRight).filter { $0.0 >= threshold }
      return ThresholdPoint(
        threshold: threshold, certain: certain.count, right: certain.count(where: \.1), count: scores.count)
    }
  }
}
