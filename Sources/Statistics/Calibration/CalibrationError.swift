/// The expected calibration error (Guo et al. 2017) without what chance adds to it, and an interval for it.
///
/// The distance of confidence and accuracy, averaged over bins, is too great for a sample: chance moves the accuracy of each
/// bin, and counts as distance whichever way it goes. 100 answers of a model without any error may show 0.11. So the
/// estimate is found from the other side, among models that could have shown the distance that was measured: those whose
/// accuracies lie, in all bins alike, so many deviations nearer to the confidences than the measured ones, or farther, by
/// Wilson's interval (1927). It is the error of the one of them that shows more as often as less. The ends of the interval of
/// 95 % are the errors of those that show so much, or so little, once in 40 times.
public struct CalibrationError: Sendable, Hashable {
  /// From 0 to 1; 0 where a model without any error shows so much more often than not.
  public let value: Double
  /// The 95 % interval. Its lower end is 0 unless the measured distance is beyond chance.
  public let interval: Interval

  /// - Parameters:
  ///   - confidences: of each answer, from 0 to 1.
  ///   - isRight: whether each answer is right.
  ///   - groups: the group of each answer, numbered from 0 without gaps; nil where each stands alone.
  ///   - binCount: at least 1.
  ///   - draws: how often each model is asked, at least 1.
  ///   - seed: what its answers are drawn from.
  /// - Returns: nil without answers.
  package init?(
    confidences: [Double], isRight: [Bool], groups: [Int]? = nil, binCount: Int = 15, draws: Int, seed: UInt64
  ) {
    let bins = AccuracyBin.bins(confidences, isRight, groups, binCount)
    guard !bins.isEmpty, draws > 0 else { return nil }
    let search = CalibrationErrorSearch(bins, draws: draws, seed: seed)
    (value, interval) = (search.estimate, search.interval)
  }

  package init(value: Double, interval: Interval) {
    self.value = value
    self.interval = interval
  }
}
